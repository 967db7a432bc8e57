EXISTS and NOT EXISTS ask for another pattern around what is bound; OPTIONAL MATCH adds one where it is there.

-- ConfigMatrix: spark.sql.adaptive.enabled = true | false
-- ConfigMatrix: spark.wreath.join.mode = auto | broadcast | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS
SELECT * FROM VALUES (1, 2, 10), (2, 1, 20), (2, 3, 30), (3, 1, 40), (3, 4, 50), (3, 3, 60), (1, 2, 70), (4, 5, 80), (5, NULL, 90)
  AS t(src, dst, w);
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c) WHERE NOT EXISTS { (a)->(c) })
-- same as
SELECT x.src, x.dst, y.dst FROM edges x JOIN edges y ON x.dst = y.src
WHERE NOT EXISTS (SELECT * FROM edges z WHERE z.src = x.src AND z.dst = y.dst) AND y.dst IS NOT NULL
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c) WHERE EXISTS { MATCH (c)->(a) } AND a < 3)
-- same as
SELECT x.src, x.dst, y.dst FROM edges x JOIN edges y ON x.dst = y.src
WHERE EXISTS (SELECT * FROM edges z WHERE z.src = y.dst AND z.dst = x.src) AND x.src < 3
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c) WHERE NOT EXISTS { (a)-(c) } AND a <> c)
-- same as
SELECT count(*) FROM edges x JOIN edges y ON x.dst = y.src WHERE x.src <> y.dst
AND NOT EXISTS (SELECT * FROM edges z WHERE (z.src = x.src AND z.dst = y.dst) OR (z.dst = x.src AND z.src = y.dst))
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[e]->(b) WHERE NOT EXISTS { (b)->(a) } COLUMNS (a, b, e.w))
-- same as
SELECT src, dst, w FROM edges x WHERE dst IS NOT NULL AND NOT EXISTS (SELECT * FROM edges z WHERE z.src = x.dst AND z.dst = x.src)
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE NOT EXISTS { (b)->(c)->(d) WHERE d <> a })
-- same as
SELECT src, dst FROM edges x WHERE dst IS NOT NULL AND NOT EXISTS (SELECT * FROM edges y JOIN edges z ON y.dst = z.src
  WHERE y.src = x.dst AND z.dst <> x.src)
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c) WHERE EXISTS { (c)-[e WHERE e.w > 25]->() })
-- same as
SELECT x.src, x.dst, y.dst FROM edges x JOIN edges y ON x.dst = y.src
WHERE EXISTS (SELECT * FROM edges z WHERE z.src = y.dst AND z.w > 25 AND z.dst IS NOT NULL)
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE a = 1 OR EXISTS { (b)->(a) } AND NOT EXISTS { (a)->(a) })
-- same as
SELECT src, dst FROM edges x WHERE dst IS NOT NULL AND (src = 1 OR EXISTS (SELECT * FROM edges z WHERE z.src = x.dst AND z.dst = x.src)
AND NOT EXISTS (SELECT * FROM edges z WHERE z.src = x.src AND z.dst = x.src))
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a WHERE EXISTS { (a)->(x) WHERE NOT EXISTS { (x)->(a) } })->(b))
-- same as
SELECT src, dst FROM edges x WHERE dst IS NOT NULL AND EXISTS (SELECT * FROM edges y WHERE y.src = x.src AND y.dst IS NOT NULL
  AND NOT EXISTS (SELECT * FROM edges z WHERE z.src = y.dst AND z.dst = y.src))
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE a.id > 2 OPTIONAL MATCH (b)->(c) WHERE c <> a)
-- same as
SELECT x.src, x.dst, y.dst FROM edges x LEFT JOIN edges y ON x.dst = y.src AND y.dst <> x.src AND y.dst IS NOT NULL
WHERE x.src > 2 AND x.dst IS NOT NULL
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (a)->(d) OPTIONAL MATCH (c)-[e]->(f)-[g]->(a) OPTIONAL MATCH (f)->(h)
  COLUMNS (a, c, e.w AS e, f, g.w + 1 AS g, h))
-- same as
SELECT x.src, y.dst, u.ew, u.f, u.gw + 1, z.dst FROM edges x JOIN edges y ON x.dst = y.src JOIN edges d ON d.src = x.src
LEFT JOIN (SELECT e.src, e.w AS ew, e.dst AS f, g.w AS gw, g.dst FROM edges e JOIN edges g ON e.dst = g.src) u
  ON u.src = y.dst AND u.dst = x.src
LEFT JOIN edges z ON z.src = u.f AND z.dst IS NOT NULL WHERE y.dst IS NOT NULL
-- query
SELECT count(c), count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b) OPTIONAL MATCH (b)->(c) WHERE NOT EXISTS { (c)->(c) })
-- same as
SELECT count(y.dst), count(*) FROM edges x LEFT JOIN (SELECT * FROM edges WHERE dst IS NOT NULL AND dst <> 3) y ON x.dst = y.src
WHERE x.dst IS NOT NULL
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) COLUMNS (a, EXISTS { (b)->(a) } AS back, NOT EXISTS { (b)->(c)->(a) WHERE c <> b } AS open))
-- same as
SELECT x.src, EXISTS (SELECT * FROM edges y WHERE y.src = x.dst AND y.dst = x.src),
  NOT EXISTS (SELECT * FROM edges y JOIN edges z ON y.dst = z.src WHERE y.src = x.dst AND z.dst = x.src AND y.dst <> y.src)
FROM edges x WHERE x.dst IS NOT NULL
-- query
SELECT n, count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c) OPTIONAL MATCH (c)-[x WHERE x.w > 40]->(d)
  COLUMNS (CASE WHEN EXISTS { (d)->(e) } THEN d.id WHEN EXISTS { (c)->{1,2}(a) } THEN -1 END AS n)) GROUP BY n
-- same as
WITH e AS (SELECT * FROM edges WHERE dst IS NOT NULL)
SELECT n, count(*) FROM (SELECT CASE WHEN EXISTS (SELECT * FROM e WHERE e.src = z.dst) THEN z.dst
  WHEN EXISTS (SELECT * FROM e WHERE e.src = y.dst AND e.dst = x.src) OR
    EXISTS (SELECT * FROM e p JOIN e q ON p.dst = q.src WHERE p.src = y.dst AND q.dst = x.src) THEN -1 END AS n
FROM e x JOIN e y ON x.dst = y.src LEFT JOIN (SELECT * FROM e WHERE w > 40) z ON z.src = y.dst) GROUP BY n
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) COLUMNS (a, EXISTS { (zz)->(b) WHERE zzz = 1 } AS x))
-- error: WREATH_UNKNOWN_VARIABLE
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE EXISTS { (a)->(c) WHERE zz = 1 })
-- error: WREATH_UNKNOWN_VARIABLE
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE EXISTS { (a)->(c) )
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) OPTIONAL (b)->(c))
-- error: WREATH_SYNTAX_ERROR
