The first query of the house: a triangle, as MATCH and as the joins that it stands for.

-- ConfigMatrix: spark.sql.adaptive.enabled = true | false
-- ConfigMatrix: spark.wreath.join.mode = auto | broadcast | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS
SELECT * FROM VALUES (1L, 2L), (2L, 3L), (1L, 3L), (3L, 4L), (2L, 4L), (1L, 2L) AS t(src, dst);
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c)
  COLUMNS (a.id AS a, b.id AS b, c.id AS c))
-- same as
SELECT e1.src, e1.dst, e2.dst
FROM edges e1 JOIN edges e2 ON e1.dst = e2.src JOIN edges e3 ON e3.src = e1.src AND e3.dst = e2.dst
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c)->(a))
-- same as
SELECT count(*)
FROM edges e1 JOIN edges e2 ON e1.dst = e2.src JOIN edges e3 ON e3.src = e2.dst AND e3.dst = e1.src
