package io.wreath.spark.parser

import org.apache.spark.sql.catalyst.parser.{CatalystSqlParser, ParseException}

import org.scalatest.funsuite.AnyFunSuite

/** An error stands at the fault. In each text a ^ stands before the character that is meant. */
class ErrorPositionSuite extends AnyFunSuite {

  private val parser = new GraphSqlParser(CatalystSqlParser)

  private val motifs = Seq(
    "^a" -> "made of terms",
    "(a^" -> "closed by ')'",
    "(a^-[e]->(b)" -> "closed by ')'",
    "(a)-[e]->(b^" -> "closed by ')'",
    "(a)-[e^->(b)" -> "closed by ']'",
    "(a)-[e*2^x]->(b)" -> "closed by ']'",
    "(a)-[e]^>(b)" -> "-[]->, <-[]- or -[]-",
    "(a)-[e]->^b" -> "leads to a vertex",
    "(a)-[e]->^" -> "leads to a vertex",
    "(a)^->(b)" -> "with brackets",
    "(a)-^->(b)" -> "with brackets",
    "(a)<-^(b)" -> "with brackets",
    "(a)-[]->(b); (b)^->(c)" -> "with brackets",
    "(a)-[]->(b)^, (b)-[]->(c)" -> "semicolon",
    "(a)-[]->(b)^-[]->(c)" -> "several terms",
    "(a)-[]->(b); (c) ^(d)" -> "after a vertex",
    "(a)-[]->(b); ^()" -> "needs a name",
    "(a)-[]->(b); ^()-[]->()" -> "needs a name",
    "(a)-[]->(b);\n !(b)-[^e]->(a)" -> "has no name",
    "(a)-[]->(b);\n !(b)^-[]-(a)" -> "negated",
    "(a)-[]->(b); !(b)^" -> "after a vertex",
    "(a)-[^*]->(b)" -> "WREATH_UNBOUNDED_QUANTIFIER",
    "(a)-[e^*2..]->(b)" -> "WREATH_UNBOUNDED_QUANTIFIER",
    "(a)-[e^*3..2]->(b)" -> "1 to 32 edges",
    "(a)-[e^*0]->(b)" -> "1 to 32 edges",
    "(a)^-[e*2]-(b)" -> "needs a direction",
    "(a)-[]->(b); (a)^<-[e*2]->(b)" -> "has no name",
    "(^🌲)" -> "closed by ')'",
    ";^" -> "is empty")

  private def check(before: String, marked: String, after: String, says: String): Unit = {
    val at = marked.indexOf('^')
    val text = before + marked.patch(at, "", 1) + after
    val error = intercept[ParseException](parser.parsePlan(text))
    val until = text.substring(0, before.length + at)
    val line = until.count(_ == '\n') + 1
    val lineStart = until.lastIndexOf('\n') + 1
    assert(
      (error.start.line, error.start.startPosition) ==
        ((Some(line), Some(until.codePointCount(lineStart, until.length)))),
      s"$marked: ${error.getMessage}")
    assert(error.getMessage.contains(says), marked)
  }

  test("of a motif in a statement") {
    for ((motif, says) <- motifs) {
      check("SELECT *\nFROM GRAPH_TABLE (e MOTIF '", motif, "')", says)
    }
  }

  test("of a motif that a call gives: the text is the argument") {
    for ((motif, says) <- motifs) {
      val at = motif.indexOf('^')
      val argument = motif.patch(at, "", 1)
      val error = intercept[ParseException](
        parser.parsePlan(s"SELECT * FROM GRAPH_TABLE (e CALL MOTIF '$argument')"))
      val until = argument.substring(0, at)
      assert(
        (error.start.line, error.start.startPosition) ==
          ((
            Some(until.count(_ == '\n') + 1),
            Some(until.codePointCount(until.lastIndexOf('\n') + 1, at)))),
        s"$motif: ${error.getMessage}")
      assert(error.start.sqlText.contains(argument))
      assert(error.getMessage.contains(says), motif)
    }
  }

  test("of a motif with escapes: the literal, for what it says is no part of the text") {
    check("SELECT '🌲' FROM GRAPH_TABLE (e MOTIF ", "'(a)-[e^->(b)'", ")", "closed by ']'")
    check("SELECT * FROM GRAPH_TABLE (e MOTIF ", "^'(a)\\n-[e->(b)'", ")", "closed by ']'")
  }

  test("of what is not closed") {
    for ((text, says) <- Seq(
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)^" -> "')' that closes GRAPH_TABLE",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) WHERE a.id > 1^  " ->
          "')' that closes GRAPH_TABLE",
        "SELECT *\nFROM GRAPH_TABLE (e\n  MATCH (a)->(b) COLUMNS (a.id AS x)^\n" ->
          "')' that closes GRAPH_TABLE",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)^-->(b))" -> "'--' starts a comment",
        "SELECT * FROM GRAPH_TABLE (e MOTIF '(a)-[e]->(b)'^" -> "')' that closes GRAPH_TABLE",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b^" -> "closed by ')'",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a^->(b))" -> "parenthesised sub-path",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)-[x^->(b))" -> "closed by ']'",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) COLUMNS (a.id AS x^" -> "closed by ')'",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) ^ORDER BY a" -> "expected an edge",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) COLUMNS (a.id AS x) ^ORDER BY x" ->
          "nothing may follow",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->{1,2 ^(b))" -> "{n}, {n,m}, {n,} or {,m}",
        "SELECT * FROM GRAPH_TABLE (e MATCH SHORTEST ^(a)->(b))" -> "followed by a number",
        "SELECT * FROM GRAPH_TABLE (e MATCH ANY ^0 (a)->(b))" -> "a number above 0",
        "SELECT * FROM GRAPH_TABLE (e MATCH ANY (a)((b)->(c)^, (d))" -> "sub-path is closed by ')'",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) WHERE EXISTS { (b)->(c)^)" ->
          "'}' that closes EXISTS",
        "SELECT * FROM GRAPH_TABLE (range^(5) MATCH (a)->(b))" -> "make a temporary view",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a) -[]->^*(b) RETURN a)" ->
          "RETURN yet. Give a path an upper bound, such as {1,5}, a search prefix, such as ANY SHORTEST, or",
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) ^RETURN a)" -> "[WREATH_SYNTAX_ERROR]",
        "SELECT * FROM GRAPH_TABLE (e^" -> "followed by MATCH",
        "SELECT * FROM GRAPH_TABLE (^" -> "the name of a graph")) {
      check("", text, "", says)
    }
  }
}
