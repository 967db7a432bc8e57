Match modes say which elements of a pattern have to be different.

-- ConfigMatrix: spark.sql.adaptive.enabled = true | false
-- ConfigMatrix: spark.wreath.join.mode = broadcast | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS
SELECT * FROM VALUES (1, 2), (2, 1), (2, 3), (3, 1), (1, 3), (3, 3), (4, 4) AS t(src, dst);
CREATE OR REPLACE TEMPORARY VIEW parallel AS
SELECT * FROM VALUES (1, 2, 'x'), (1, 2, 'x'), (1, 2, 'x'), (1, 2, 'y'), (2, 1, 'z'), (2, 3, 'z'), (5, 5, 'l'), (5, 5, 'l')
  AS t(src, dst, kind);
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH REPEATABLE ELEMENTS (a)->(b)->(c)->(a))
-- same as
SELECT x.src, y.src, z.src FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON y.dst = z.src AND z.dst = x.src
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH DIFFERENT VERTICES (a)->(b)->(c), (a)->(c))
-- same as
SELECT x.src, x.dst, y.dst FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON z.src = x.src AND z.dst = y.dst
WHERE x.src <> x.dst AND y.src <> y.dst AND x.src <> y.dst
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH DIFFERENT VERTICES (a)->()->(), ()->(a))
-- same as
SELECT count(*) FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON z.dst = x.src
WHERE x.src <> x.dst AND x.src <> y.dst AND x.dst <> y.dst AND z.src NOT IN (x.src, x.dst, y.dst)
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH DIFFERENT EDGES (a)->(b)->(c))
-- same as
SELECT x.src, x.dst, y.dst FROM edges x JOIN edges y ON x.dst = y.src WHERE NOT (x.src = y.src AND x.dst = y.dst)
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH DIFFERENT EDGES (a)->(b)<-(c))
-- same as
SELECT count(*) FROM edges x JOIN edges y ON x.dst = y.dst WHERE x.src <> y.src
-- query
SELECT * FROM GRAPH_TABLE (parallel MATCH DIFFERENT EDGES (a)->(b), (a)->(b))
-- same as
WITH p AS (SELECT *, row_number() OVER (ORDER BY src, dst, kind) AS n FROM parallel)
SELECT x.src, x.dst FROM p x JOIN p y ON x.src = y.src AND x.dst = y.dst WHERE x.n <> y.n
-- query
SELECT count(*) FROM GRAPH_TABLE (parallel MATCH DIFFERENT EDGES (a)->(b)->(c)->(d))
-- same as
WITH p AS (SELECT *, row_number() OVER (ORDER BY src, dst, kind) AS n FROM parallel)
SELECT count(*) FROM p x JOIN p y ON x.dst = y.src JOIN p z ON y.dst = z.src WHERE x.n <> y.n AND y.n <> z.n AND x.n <> z.n
-- query
SELECT * FROM GRAPH_TABLE (parallel MATCH DIFFERENT EDGES (a)-[x]->(b), (a)-[y]->(b) WHERE x.kind < y.kind
  COLUMNS (a, x.kind AS x, y.kind AS y))
-- same as
SELECT x.src, x.kind, y.kind FROM parallel x JOIN parallel y ON x.src = y.src AND x.dst = y.dst AND x.kind < y.kind
-- query
SELECT * FROM GRAPH_TABLE (parallel MATCH DIFFERENT EDGES (a)-[x]->(b)<-[y]-(c) COLUMNS (a, b, c, x.kind AS x, y.kind AS y))
-- same as
WITH p AS (SELECT *, row_number() OVER (ORDER BY src, dst, kind) AS n FROM parallel)
SELECT x.src, x.dst, y.src, x.kind, y.kind FROM p x JOIN p y ON x.dst = y.dst WHERE x.n <> y.n
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH UNIQUE SUBGRAPHS (a)->(b)->(c)->(a))
-- same as
SELECT x.src, y.src, z.src FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON y.dst = z.src AND z.dst = x.src
WHERE x.src < y.src AND x.src < z.src AND y.src <> z.src
-- query
SELECT a, b, c FROM GRAPH_TABLE (edges MATCH UNIQUE SUBGRAPHS (a)->(b), (a)->(c) WHERE b > 1 AND c > 1)
-- same as
SELECT x.src, x.dst, y.dst FROM edges x JOIN edges y ON x.src = y.src
WHERE x.dst < y.dst AND x.src NOT IN (x.dst, y.dst) AND x.dst > 1
-- query
SELECT a, b, c FROM GRAPH_TABLE (edges MATCH UNIQUE SUBGRAPHS (a)->(b), (a)->(c) WHERE b > 1)
-- same as
SELECT x.src, x.dst, y.dst FROM edges x JOIN edges y ON x.src = y.src
WHERE x.dst <> y.dst AND x.src NOT IN (x.dst, y.dst) AND x.dst > 1
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH DIFFERENT THINGS (a)->(b))
-- error: WREATH_SYNTAX_ERROR
