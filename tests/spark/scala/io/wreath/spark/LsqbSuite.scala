package io.wreath.spark

import java.nio.file.Files

import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.wreath.WreathConf

/**
 * The patterns of LSQB over its own social network, as a property graph of its tables: counts that
 * other systems agree on. A friendship is an edge without a direction, a message a post or a comment.
 *
 * Not an LDBC benchmark result.
 */
class LsqbSuite extends WreathQueryTest {

  private val data = RepositoryRoot.path.getParent.resolve("shared/data/lsqb")

  private val graph =
    """CREATE OR REPLACE TEMPORARY PROPERTY GRAPH lsqb
      |VERTEX TABLES (
      |  Country KEY (CountryId), City KEY (CityId), Person KEY (PersonId), Forum KEY (ForumId),
      |  Post KEY (PostId) LABEL Post LABEL Message NO PROPERTIES,
      |  Comment KEY (CommentId) LABEL Comment LABEL Message NO PROPERTIES,
      |  Tag KEY (TagId), TagClass KEY (TagClassId))
      |EDGE TABLES (
      |  City AS isPartOf SOURCE KEY (CityId) REFERENCES City
      |    DESTINATION KEY (isPartOf_CountryId) REFERENCES Country,
      |  Person AS isLocatedIn SOURCE KEY (PersonId) REFERENCES Person
      |    DESTINATION KEY (isLocatedIn_CityId) REFERENCES City,
      |  Forum_hasMember_Person AS hasMember SOURCE KEY (ForumId) REFERENCES Forum
      |    DESTINATION KEY (PersonId) REFERENCES Person,
      |  Post AS containerOf SOURCE KEY (Forum_containerOfId) REFERENCES Forum
      |    DESTINATION KEY (PostId) REFERENCES Post,
      |  Comment AS replyOfPost SOURCE KEY (CommentId) REFERENCES Comment
      |    DESTINATION KEY (replyOf_PostId) REFERENCES Post LABEL replyOf,
      |  Comment AS replyOfComment SOURCE KEY (CommentId) REFERENCES Comment
      |    DESTINATION KEY (replyOf_CommentId) REFERENCES Comment LABEL replyOf,
      |  Comment AS commentCreator SOURCE KEY (CommentId) REFERENCES Comment
      |    DESTINATION KEY (hasCreator_PersonId) REFERENCES Person LABEL hasCreator,
      |  Post AS postCreator SOURCE KEY (PostId) REFERENCES Post
      |    DESTINATION KEY (hasCreator_PersonId) REFERENCES Person LABEL hasCreator,
      |  Comment_hasTag_Tag AS commentTag SOURCE KEY (CommentId) REFERENCES Comment
      |    DESTINATION KEY (TagId) REFERENCES Tag LABEL hasTag,
      |  Post_hasTag_Tag AS postTag SOURCE KEY (PostId) REFERENCES Post
      |    DESTINATION KEY (TagId) REFERENCES Tag LABEL hasTag,
      |  Person_likes_Post AS likesPost SOURCE KEY (PersonId) REFERENCES Person
      |    DESTINATION KEY (PostId) REFERENCES Post LABEL likes,
      |  Person_likes_Comment AS likesComment SOURCE KEY (PersonId) REFERENCES Person
      |    DESTINATION KEY (CommentId) REFERENCES Comment LABEL likes,
      |  Tag AS hasType SOURCE KEY (TagId) REFERENCES Tag
      |    DESTINATION KEY (hasType_TagClassId) REFERENCES TagClass,
      |  Person_hasInterest_Tag AS hasInterest SOURCE KEY (PersonId) REFERENCES Person
      |    DESTINATION KEY (TagId) REFERENCES Tag,
      |  Person_knows_Person AS knows SOURCE KEY (Person1Id) REFERENCES Person
      |    DESTINATION KEY (Person2Id) REFERENCES Person)""".stripMargin

  /** Without the tables that the partial data set lacks. */
  private val smallGraph =
    """CREATE OR REPLACE TEMPORARY PROPERTY GRAPH lsqb
      |VERTEX TABLES (
      |  Country KEY (CountryId), City KEY (CityId), Person KEY (PersonId), Tag KEY (TagId))
      |EDGE TABLES (
      |  City AS isPartOf SOURCE KEY (CityId) REFERENCES City
      |    DESTINATION KEY (isPartOf_CountryId) REFERENCES Country,
      |  Person AS isLocatedIn SOURCE KEY (PersonId) REFERENCES Person
      |    DESTINATION KEY (isLocatedIn_CityId) REFERENCES City,
      |  Person_hasInterest_Tag AS hasInterest SOURCE KEY (PersonId) REFERENCES Person
      |    DESTINATION KEY (TagId) REFERENCES Tag,
      |  Person_knows_Person AS knows SOURCE KEY (Person1Id) REFERENCES Person
      |    DESTINATION KEY (Person2Id) REFERENCES Person)""".stripMargin

  private val patterns = Map(
    "q1" ->
      """(:Country)<-[:isPartOf]-(:City)<-[:isLocatedIn]-(:Person)<-[:hasMember]-(:Forum)
        |-[:containerOf]->(:Post)<-[:replyOf]-(:Comment)-[:hasTag]->(:Tag)-[:hasType]->(:TagClass)
        |""".stripMargin,
    "q2" ->
      """(p IS Person)-[IS knows]-(q IS Person), (p)<-[IS hasCreator]-(c IS Comment)
        |-[IS replyOf]->(m IS Post)-[IS hasCreator]->(q)""".stripMargin,
    "q3" ->
      """(a)-[:knows]-(b)-[:knows]-(c)-[:knows]-(a), (land:Country),
        |(a)-[:isLocatedIn]->()-[:isPartOf]->(land), (b)-[:isLocatedIn]->()-[:isPartOf]->(land),
        |(c)-[:isLocatedIn]->()-[:isPartOf]->(land)""".stripMargin,
    "q4" ->
      """(:Tag)<-[:hasTag]-(m:Message)-[:hasCreator]->(:Person), (m)<-[:likes]-(:Person),
        |(m)<-[:replyOf]-(:Comment)""".stripMargin,
    "q5" ->
      """(s:Tag)<-[:hasTag]-(:Message)<-[:replyOf]-(:Comment)-[:hasTag]->(t:Tag) WHERE s <> t
        |""".stripMargin,
    "q6" -> "(a)-[:knows]-(b)-[:knows]-(c)-[:hasInterest]->(t:Tag) WHERE a <> c",
    "q7" ->
      """(:Tag)<-[:hasTag]-(m:Message)-[:hasCreator]->(:Person)
        |OPTIONAL MATCH (m)<-[:likes]-(:Person) OPTIONAL MATCH (m)<-[:replyOf]-(:Comment)
        |""".stripMargin,
    "q8" ->
      """(s:Tag)<-[:hasTag]-(:Message)<-[:replyOf]-(c:Comment)-[:hasTag]->(t:Tag)
        |WHERE s <> t AND NOT EXISTS { (c)-[:hasTag]->(s) }""".stripMargin,
    "q9" ->
      """(a)-[:knows]-(b)-[:knows]-(c)-[:hasInterest]->(t:Tag)
        |WHERE a <> c AND NOT EXISTS { (a)-[:knows]-(c) }""".stripMargin)

  private def check(folder: String, definition: String, counts: (String, Long)*): Unit =
    test(s"$folder: ${counts.map(_._1).mkString(", ")}") {
      val tables = data.resolve(folder)
      assume(Files.isDirectory(tables), "../shared/data/lsqb is not there")
      val files =
        Option(tables.toFile.listFiles).toSeq.flatten.filter(_.getName.endsWith(".parquet"))
      files.foreach { f =>
        spark.read.parquet(f.toString)
          .createOrReplaceTempView(f.getName.stripSuffix(".parquet"))
      }
      spark.sql(definition)
      for ((query, count) <- counts) withClue(s"$query: ") {
        checkAnswer(
          spark.sql(s"SELECT count(*) FROM GRAPH_TABLE (lsqb MATCH ${patterns(query)})"),
          Row(count))
      }
    }

  private def counts(all: Long*): Seq[(String, Long)] =
    all.zipWithIndex.map { case (count, i) => s"q${i + 1}" -> count }

  check("lsqb-example", graph, counts(8, 3, 6, 8, 3, 8, 11, 2, 4): _*)
  check(
    "lsqb-sf0.003",
    graph,
    counts(20608, 281, 0, 3047, 4973, 33201, 7188, 2436, 23669): _*)
  check("lsqb-sf0.1-partial", smallGraph, "q3" -> 30456, "q6" -> 55607896, "q9" -> 51009398)

  /** The same in plain SQL, of which the second and third are cyclic: `friends` are knows both ways. */
  private val plain = Map(
    "q2" ->
      """SELECT count(*) FROM friends k JOIN Comment c ON c.hasCreator_PersonId = k.p
        |JOIN Post m ON c.replyOf_PostId = m.PostId AND m.hasCreator_PersonId = k.q""".stripMargin,
    "q3" ->
      """SELECT count(*) FROM Country land, City x, City y, City z, Person a, Person b, Person c,
        |  friends ab, friends bc, friends ca
        |WHERE x.isPartOf_CountryId = land.CountryId AND y.isPartOf_CountryId = land.CountryId
        |  AND z.isPartOf_CountryId = land.CountryId AND a.isLocatedIn_CityId = x.CityId
        |  AND b.isLocatedIn_CityId = y.CityId AND c.isLocatedIn_CityId = z.CityId
        |  AND ab.p = a.PersonId AND ab.q = b.PersonId AND bc.p = b.PersonId
        |  AND bc.q = c.PersonId AND ca.p = c.PersonId AND ca.q = a.PersonId""".stripMargin,
    "q6" ->
      """SELECT count(*) FROM friends ab JOIN friends bc ON ab.q = bc.p
        |JOIN Person_hasInterest_Tag t ON t.PersonId = bc.q WHERE ab.p <> bc.q""".stripMargin,
    "q9" ->
      """SELECT count(*) FROM friends ab JOIN friends bc ON ab.q = bc.p
        |JOIN Person_hasInterest_Tag t ON t.PersonId = bc.q WHERE ab.p <> bc.q
        |  AND NOT EXISTS (SELECT 1 FROM friends ac WHERE ac.p = ab.p AND ac.q = bc.q)""".stripMargin)

  private def checkPlain(folder: String, counts: (String, Long)*): Unit =
    test(s"$folder in plain SQL: ${counts.map(_._1).mkString(", ")}") {
      val tables = data.resolve(folder)
      assume(Files.isDirectory(tables), "../shared/data/lsqb is not there")
      tables.toFile.listFiles.filter(_.getName.endsWith(".parquet")).foreach { f =>
        spark.read.parquet(f.toString)
          .createOrReplaceTempView(f.getName.stripSuffix(".parquet"))
      }
      spark
        .sql("SELECT Person1Id AS p, Person2Id AS q FROM Person_knows_Person " +
          "UNION ALL SELECT Person2Id, Person1Id FROM Person_knows_Person")
        .createOrReplaceTempView("friends")
      for (mode <- Seq("auto", "broadcast"); (query, count) <- counts) {
        withSQLConf(WreathConf.JOIN_MODE.key -> mode, WreathConf.REWRITE_JOINS.key -> "true") {
          val df = spark.sql(plain(query))
          withClue(s"$query in mode $mode: ")(checkAnswer(df, Row(count)))
          val isCyclic = query == "q2" || query == "q3"
          if (count > 0 && mode == "broadcast") assert(wcoJoins(df).nonEmpty == isCyclic, query)
        }
      }
    }

  checkPlain("lsqb-example", "q2" -> 3, "q3" -> 6, "q6" -> 8, "q9" -> 4)
  checkPlain("lsqb-sf0.003", "q2" -> 281, "q3" -> 0, "q6" -> 33201, "q9" -> 23669)
  checkPlain("lsqb-sf0.1-partial", "q3" -> 30456)
}
