An edge without a direction may lead either way; from a vertex to itself it is one edge.

-- ConfigMatrix: spark.sql.adaptive.enabled = true | false
-- ConfigMatrix: spark.wreath.join.mode = broadcast | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS
SELECT * FROM VALUES (1, 2, 10), (2, 1, 20), (2, 3, 30), (3, 1, 40), (1, 3, 50), (3, 3, 60), (1, 2, 70), (4, 4, 80), (4, 4, 81)
  AS t(src, dst, w);
CREATE OR REPLACE TEMPORARY VIEW both AS
SELECT src AS a, dst AS b, src, dst, w, row_number() OVER (ORDER BY w) AS n FROM edges UNION ALL
SELECT dst, src, src, dst, w, n FROM (SELECT *, row_number() OVER (ORDER BY w) AS n FROM edges) WHERE src <> dst;
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[]-(b))
-- same as
SELECT a, b FROM both
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-(b)-(c), (a)-(c))
-- same as
SELECT x.a, x.b, y.b FROM both x JOIN both y ON x.b = y.a JOIN both z ON z.a = x.a AND z.b = y.b
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)-(b)-(c)-(d) WHERE a < b AND c <> a)
-- same as
SELECT count(*) FROM both x JOIN both y ON x.b = y.a JOIN both z ON z.a = y.b WHERE x.a < x.b AND y.b <> x.a
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[e]-(b) COLUMNS (a, b, e.src, e.dst, e.w))
-- same as
SELECT a, b, src, dst, w FROM both
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[x]-(b)-[y]->(c) WHERE x.w < y.w AND x.w > a.id COLUMNS (a, b, c, x.w AS x, y.w AS y))
-- same as
SELECT x.a, x.b, y.dst, x.w, y.w FROM both x JOIN edges y ON x.b = y.src WHERE x.w < y.w AND x.w > x.a
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[x WHERE x.w > 25]-(b)-[y WHERE y.src = 1]-(c))
-- same as
SELECT x.a, x.b, y.b FROM both x JOIN both y ON x.b = y.a WHERE x.w > 25 AND y.src = 1
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)-(a))
-- same as
SELECT 3
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH DIFFERENT EDGES (a)-(b)-(c))
-- same as
SELECT x.a, x.b, y.b FROM both x JOIN both y ON x.b = y.a WHERE x.n <> y.n
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH DIFFERENT EDGES (a)-(b)->(c)-(d))
-- same as
SELECT count(*) FROM both x JOIN (SELECT *, row_number() OVER (ORDER BY w) AS n FROM edges) y ON x.b = y.src
JOIN both z ON z.a = y.dst WHERE x.n <> y.n AND y.n <> z.n AND x.n <> z.n
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH DIFFERENT VERTICES (a)-(b)-(c))
-- same as
SELECT x.a, x.b, y.b FROM both x JOIN both y ON x.b = y.a WHERE x.a <> x.b AND y.a <> y.b AND x.a <> y.b
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH UNIQUE SUBGRAPHS (a)-(b)-(c), (a)-(c))
-- same as
SELECT x.a, x.b, y.b FROM both x JOIN both y ON x.b = y.a JOIN both z ON z.a = x.a AND z.b = y.b WHERE x.a < x.b AND x.b < y.b
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)<-[]->(b))
-- error: WREATH_UNSUPPORTED_FEATURE
