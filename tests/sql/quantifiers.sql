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
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->{1,2}(b)->{1,2}(c))
-- same as
WITH p AS (SELECT src, dst FROM edges UNION ALL SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src)
SELECT x.src, x.dst, y.dst FROM p x JOIN p y ON x.dst = y.src
-- query
SELECT count(*), count(b) FROM GRAPH_TABLE (edges MATCH (a)->{1,2}(b)<-{2,3}(c) WHERE a <> c)
-- same as
WITH p2 AS (SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src),
p3 AS (SELECT p2.src, z.dst FROM p2 JOIN edges z ON p2.dst = z.src),
p12 AS (SELECT src, dst FROM edges UNION ALL SELECT * FROM p2), p23 AS (SELECT * FROM p2 UNION ALL SELECT * FROM p3)
SELECT count(*), count(*) FROM p12 JOIN p23 ON p12.dst = p23.dst WHERE p12.src <> p23.src
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->{1,3}(b)->(a) WHERE a < b)
-- same as
WITH p2 AS (SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src),
p AS (SELECT src, dst FROM edges UNION ALL SELECT * FROM p2
  UNION ALL SELECT p2.src, z.dst FROM p2 JOIN edges z ON p2.dst = z.src)
SELECT p.src, p.dst FROM p JOIN edges e ON e.src = p.dst AND e.dst = p.src WHERE p.src < p.dst
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->{1,2}(a))
-- same as
SELECT src FROM edges WHERE src = dst
UNION ALL SELECT x.src FROM edges x JOIN edges y ON x.dst = y.src AND y.dst = x.src
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->{0,2}(b))
-- same as
SELECT src AS a, src AS b FROM (SELECT src FROM edges UNION SELECT dst FROM edges) UNION ALL SELECT src, dst FROM edges
UNION ALL SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src
-- query
SELECT b, count(*) FROM GRAPH_TABLE (edges MATCH (a)->{0,2}(b) WHERE a > 1) GROUP BY b
-- same as
SELECT b, count(*) FROM (SELECT src AS a, src AS b FROM (SELECT src FROM edges UNION SELECT dst FROM edges)
UNION ALL SELECT src, dst FROM edges UNION ALL SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src)
WHERE a > 1 GROUP BY b
-- query
SELECT a, count(*) FROM GRAPH_TABLE (edges MATCH (a)-[e WHERE e.w > 15]->{1,2}(b)) GROUP BY a
-- same as
WITH e AS (SELECT * FROM edges WHERE w > 15)
SELECT a, count(*) FROM (SELECT src AS a FROM e UNION ALL SELECT x.src FROM e x JOIN e y ON x.dst = y.src) GROUP BY a
-- query
SELECT DISTINCT b FROM GRAPH_TABLE (edges MATCH (a)->?(b)->?(c)->(d) WHERE d = 5)
-- same as
SELECT 4 UNION SELECT 3
-- query
SELECT count(*) FROM (SELECT * FROM GRAPH_TABLE (edges MATCH (a)->{1,3}(b)) LIMIT 11)
-- same as
SELECT 11
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH DIFFERENT EDGES (a)->{1,3}(b)-[f]->(c) COLUMNS (a, c, f.w))
-- same as
WITH p AS (SELECT *, row_number() OVER (ORDER BY w) AS n FROM edges),
p2 AS (SELECT x.src, y.dst, array(x.n, y.n) AS n FROM p x JOIN p y ON x.dst = y.src WHERE x.n <> y.n),
q AS (SELECT src, dst, array(n) AS n FROM p UNION ALL SELECT * FROM p2
  UNION ALL SELECT p2.src, z.dst, array_append(p2.n, z.n) FROM p2 JOIN p z ON p2.dst = z.src WHERE NOT array_contains(p2.n, z.n))
SELECT q.src, f.dst, f.w FROM q JOIN p f ON f.src = q.dst WHERE NOT array_contains(q.n, f.n)
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH DIFFERENT VERTICES (a)-[]-{1,2}(b))
-- same as
WITH u AS (SELECT src AS a, dst AS b FROM edges UNION ALL SELECT dst, src FROM edges)
SELECT * FROM u WHERE a <> b UNION ALL SELECT x.a, y.b FROM u x JOIN u y ON x.b = y.a WHERE x.a <> x.b AND y.a <> y.b AND x.a <> y.b
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[e WHERE e.w + 1 > 31]->{1,2}(b) WHERE EXISTS { (b)->(a) })
-- same as
WITH e AS (SELECT * FROM edges WHERE w > 30)
SELECT * FROM (SELECT src, dst FROM e UNION ALL SELECT x.src, y.dst FROM e x JOIN e y ON x.dst = y.src) p
WHERE EXISTS (SELECT * FROM edges z WHERE z.src = p.dst AND z.dst = p.src)
-- query
SELECT g.a, t.w FROM GRAPH_TABLE (edges MATCH (a)->{1,2}(b) WHERE a > 1) g JOIN edges t ON t.src = g.b WHERE t.w > g.a
-- same as
SELECT p.src, t.w FROM (SELECT src, dst FROM edges UNION ALL SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src) p
JOIN edges t ON t.src = p.dst WHERE p.src > 1 AND t.w > p.src
-- query
SELECT x.a, y.b FROM GRAPH_TABLE (edges MATCH (a)->{1,2}(b)) x JOIN GRAPH_TABLE (edges MATCH (a)->{1,2}(b)) y ON x.b = y.a
-- same as
WITH p AS (SELECT src, dst FROM edges UNION ALL SELECT x.src, y.dst FROM edges x JOIN edges y ON x.dst = y.src)
SELECT x.src, y.dst FROM p x JOIN p y ON x.dst = y.src
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
