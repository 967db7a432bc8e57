package io.wreath.spark

import java.nio.file.Files

import org.apache.spark.sql.Row

/**
 * The patterns of LSQB over its own social network, as property graphs: counts that other systems
 * agree on. What is an edge in either direction, or a message that is a post or a comment, is read
 * through a view that holds both; optional parts and negation are not there yet.
 *
 * Not an LDBC benchmark result.
 */
class LsqbSuite extends WreathQueryTest {

  private val data = RepositoryRoot.path.getParent.resolve("shared/data/lsqb")

  private val graph =
    """CREATE OR REPLACE TEMPORARY PROPERTY GRAPH lsqb
      |VERTEX TABLES (
      |  Country KEY (CountryId), City KEY (CityId), Person KEY (PersonId), Forum KEY (ForumId),
      |  Post KEY (PostId), Comment KEY (CommentId), Message KEY (MessageId), Tag KEY (TagId),
      |  TagClass KEY (TagClassId))
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
      |  Comment AS commentCreator SOURCE KEY (CommentId) REFERENCES Comment
      |    DESTINATION KEY (hasCreator_PersonId) REFERENCES Person LABEL hasCreator,
      |  Post AS postCreator SOURCE KEY (PostId) REFERENCES Post
      |    DESTINATION KEY (hasCreator_PersonId) REFERENCES Person LABEL hasCreator,
      |  Comment_hasTag_Tag AS commentTag SOURCE KEY (CommentId) REFERENCES Comment
      |    DESTINATION KEY (TagId) REFERENCES Tag LABEL hasTag,
      |  messageTag SOURCE KEY (MessageId) REFERENCES Message
      |    DESTINATION KEY (TagId) REFERENCES Tag LABEL hasTag,
      |  Message AS messageCreator SOURCE KEY (MessageId) REFERENCES Message
      |    DESTINATION KEY (PersonId) REFERENCES Person LABEL hasCreator,
      |  likes SOURCE KEY (PersonId) REFERENCES Person
      |    DESTINATION KEY (MessageId) REFERENCES Message,
      |  reply SOURCE KEY (CommentId) REFERENCES Comment
      |    DESTINATION KEY (MessageId) REFERENCES Message LABEL replyOf,
      |  Tag AS hasType SOURCE KEY (TagId) REFERENCES Tag
      |    DESTINATION KEY (hasType_TagClassId) REFERENCES TagClass,
      |  Person_hasInterest_Tag AS hasInterest SOURCE KEY (PersonId) REFERENCES Person
      |    DESTINATION KEY (TagId) REFERENCES Tag,
      |  knows SOURCE KEY (Person1Id) REFERENCES Person
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
      |  knows SOURCE KEY (Person1Id) REFERENCES Person
      |    DESTINATION KEY (Person2Id) REFERENCES Person)""".stripMargin

  private val patterns = Map(
    "q1" ->
      """(:Country)<-[:isPartOf]-(:City)<-[:isLocatedIn]-(:Person)<-[:hasMember]-(:Forum)
        |-[:containerOf]->(:Post)<-[:replyOf]-(:Comment)-[:hasTag]->(:Tag)-[:hasType]->(:TagClass)
        |""".stripMargin,
    "q2" ->
      """(p IS Person)-[IS knows]->(q IS Person), (p)<-[IS hasCreator]-(c IS Comment)
        |-[IS replyOf]->(m IS Post)-[IS hasCreator]->(q)""".stripMargin,
    "q3" ->
      """(a)-[:knows]->(b)-[:knows]->(c)-[:knows]->(a), (land:Country),
        |(a)-[:isLocatedIn]->()-[:isPartOf]->(land), (b)-[:isLocatedIn]->()-[:isPartOf]->(land),
        |(c)-[:isLocatedIn]->()-[:isPartOf]->(land)""".stripMargin,
    "q4" ->
      """(:Tag)<-[:hasTag]-(m:Message)-[:hasCreator]->(:Person), (m)<-[:likes]-(:Person),
        |(m)<-[:replyOf]-(:Comment)""".stripMargin,
    "q5" ->
      """(s:Tag)<-[:hasTag]-(:Message)<-[:replyOf]-(:Comment)-[:hasTag]->(t:Tag) WHERE s <> t
        |""".stripMargin,
    "q6" -> "(a)-[:knows]->(b)-[:knows]->(c)-[:hasInterest]->(t:Tag) WHERE a <> c")

  /** What is one thing in two tables, or both ways round in one; with the tables it needs. */
  private val views = Seq(
    """knows AS SELECT Person1Id, Person2Id FROM Person_knows_Person
      |UNION ALL SELECT Person2Id, Person1Id FROM Person_knows_Person""".stripMargin ->
      Seq("Person_knows_Person"),
    """Message AS SELECT PostId AS MessageId, hasCreator_PersonId AS PersonId FROM Post
      |UNION ALL SELECT CommentId, hasCreator_PersonId FROM Comment""".stripMargin ->
      Seq("Post", "Comment"),
    """messageTag AS SELECT PostId AS MessageId, TagId FROM Post_hasTag_Tag
      |UNION ALL SELECT CommentId, TagId FROM Comment_hasTag_Tag""".stripMargin ->
      Seq("Post_hasTag_Tag", "Comment_hasTag_Tag"),
    """likes AS SELECT PersonId, PostId AS MessageId FROM Person_likes_Post
      |UNION ALL SELECT PersonId, CommentId FROM Person_likes_Comment""".stripMargin ->
      Seq("Person_likes_Post", "Person_likes_Comment"),
    """reply AS SELECT CommentId, coalesce(replyOf_PostId, replyOf_CommentId) AS MessageId
      |FROM Comment""".stripMargin -> Seq("Comment"))

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
      views.filter { case (_, tables) =>
        tables.forall(t => files.exists(_.getName == s"$t.parquet"))
      }
        .foreach { case (view, _) => spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW $view") }
      spark.sql(definition)
      for ((query, count) <- counts) withClue(s"$query: ") {
        checkAnswer(
          spark.sql(s"SELECT count(*) FROM GRAPH_TABLE (lsqb MATCH ${patterns(query)})"),
          Row(count))
      }
    }

  check("lsqb-example", graph, "q1" -> 8, "q2" -> 3, "q3" -> 6, "q4" -> 8, "q5" -> 3, "q6" -> 8)
  check(
    "lsqb-sf0.003",
    graph,
    "q1" -> 20608,
    "q2" -> 281,
    "q3" -> 0,
    "q4" -> 3047,
    "q5" -> 4973,
    "q6" -> 33201)
  check("lsqb-sf0.1-partial", smallGraph, "q3" -> 30456, "q6" -> 55607896)
}
