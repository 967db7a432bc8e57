A quantified edge stands for several edges one after the other.

-- ConfigMatrix: spark.sql.adaptive.enabled = true | false
-- ConfigMatrix: spark.wreath.join.mode = broadcast | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS
SELECT * FROM VALUES (1, 2, 10), (2, 1, 20), (2, 3, 30), (3, 1, 40), (3, 4, 50), (1, 2, 70), (4, 5, 80) AS t(src, dst, w);
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[]->{2}(b))
-- same as
SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->{1,3}(b) WHERE a < b)
-- same as
SELECT * FROM (SELECT src, dst FROM edges UNION ALL SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src
UNION ALL SELECT x.src, z.dst FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON y.dst = z.src) WHERE src < dst
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[e WHERE e.w > 15]->{2,3}(b)-[f]->(c) COLUMNS (a, b, c, f.w))
-- same as
WITH e AS (SELECT * FROM edges WHERE w > 15)
SELECT x.src, y.dst, f.dst, f.w FROM e x JOIN e y ON x.dst = y.src JOIN edges f ON f.src = y.dst
UNION ALL SELECT x.src, z.dst, f.dst, f.w FROM e x JOIN e y ON x.dst = y.src JOIN e z ON y.dst = z.src JOIN edges f ON f.src = z.dst
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)-[]-{,2}(b)->(c))
-- same as
WITH u AS (SELECT src AS a, dst AS b FROM edges UNION ALL SELECT dst, src FROM edges)
SELECT (SELECT count(*) FROM edges) + (SELECT count(*) FROM u JOIN edges e ON u.b = e.src)
  + (SELECT count(*) FROM u x JOIN u y ON x.b = y.a JOIN edges e ON y.b = e.src)
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->?(b)->(c))
-- same as
SELECT src, src, dst FROM edges UNION ALL SELECT x.src, x.dst, y.dst FROM edges x JOIN edges y ON x.dst = y.src
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->?(b))
-- same as
SELECT src, src FROM (SELECT src FROM edges UNION SELECT dst FROM edges) UNION ALL SELECT src, dst FROM edges
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH DIFFERENT EDGES (a)->{3}(b))
-- same as
WITH p AS (SELECT *, row_number() OVER (ORDER BY w) AS n FROM edges)
SELECT count(*) FROM p x JOIN p y ON x.dst = y.src JOIN p z ON y.dst = z.src WHERE x.n <> y.n AND y.n <> z.n AND x.n <> z.n
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE NOT EXISTS { (b)->{1,3}(a) })
-- same as
SELECT src, dst FROM edges e WHERE NOT EXISTS (SELECT * FROM (SELECT src, dst FROM edges
UNION ALL SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src
UNION ALL SELECT x.src, z.dst FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON y.dst = z.src) w
WHERE w.src = e.dst AND w.dst = e.src)
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE a > 2 OPTIONAL MATCH (b)->{2,3}(c))
-- same as
SELECT e.src, e.dst, w.dst FROM edges e LEFT JOIN (SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src
UNION ALL SELECT x.src, z.dst FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON y.dst = z.src) w ON w.src = e.dst WHERE e.src > 2
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->*(b))
-- error: WREATH_UNBOUNDED_QUANTIFIER
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[]->+(b))
-- error: WREATH_UNBOUNDED_QUANTIFIER
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[]->{2,}(b))
-- error: WREATH_UNBOUNDED_QUANTIFIER
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[]->{3,2}(b))
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[]->{}(b))
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[e]->{1,2}(b) WHERE e.w > 1)
-- error: WREATH_UNSUPPORTED_FEATURE
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->{1,9}(b)->{1,9}(c))
-- error: WREATH_UNSUPPORTED_FEATURE
