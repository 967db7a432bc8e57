A statement may define a graph for itself; its tables may be other names of the same WITH.

-- ConfigMatrix: spark.wreath.join.mode = auto | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW staff AS
SELECT * FROM VALUES (1L, 'Ann'), (2L, 'Bob'), (3L, 'Cid') AS t(id, name);
CREATE OR REPLACE TEMPORARY VIEW reports AS
SELECT * FROM VALUES (1L, 2L, 5), (2L, 3L, 6), (1L, 3L, 7), (3L, 8L, 8) AS t(src, dst, years);
-- query
WITH g AS PROPERTY GRAPH (
  VERTEX TABLES (staff KEY (id))
  EDGE TABLES (reports SOURCE KEY (src) REFERENCES staff DESTINATION KEY (dst) REFERENCES staff))
SELECT * FROM GRAPH_TABLE (g MATCH (a)-[x]->(b)->(c), (a)->(c) COLUMNS (a.name AS a, b.name AS b, c.name AS c, x.years))
-- same as
SELECT 'Ann', 'Bob', 'Cid', 5
-- query
WITH long AS (SELECT * FROM reports WHERE years > 5),
  g AS PROPERTY GRAPH (VERTEX TABLES (staff KEY (id))
    EDGE TABLES (long SOURCE KEY (src) REFERENCES staff DESTINATION KEY (dst) REFERENCES staff)),
  pairs AS (SELECT * FROM GRAPH_TABLE (g MATCH (a)->(b)))
SELECT * FROM pairs WHERE EXISTS (SELECT * FROM GRAPH_TABLE (g MATCH (c)->(d)) t WHERE t.c < pairs.b)
-- same as
SELECT * FROM VALUES (2L, 3L), (1L, 3L)
-- query
WITH g AS PROPERTY GRAPH (VERTEX TABLES (staff KEY (id)))
SELECT * FROM (WITH g AS (SELECT 7L AS src, 8L AS dst) SELECT * FROM GRAPH_TABLE (g MATCH (a)->(b)))
-- same as
SELECT 7L, 8L
-- query
SELECT (WITH g AS PROPERTY GRAPH (VERTEX TABLES (staff KEY (id))) SELECT count(*) FROM GRAPH_TABLE (g MATCH (a))) AS n
-- same as
SELECT 3L
-- query
WITH g AS PROPERTY GRAPH (VERTEX TABLES (staff KEY (id)))
SELECT * FROM g, GRAPH_TABLE (g MATCH (a))
-- error: WREATH_UNSUPPORTED_FEATURE
-- query
WITH g AS PROPERTY GRAPH (VERTEX TABLES (staff KEY (idd)))
SELECT * FROM GRAPH_TABLE (g MATCH (a))
-- error: UNRESOLVED_COLUMN.WITH_SUGGESTION
-- query
WITH g AS PROPERTY GRAPH (VERTEX TABLES (staff KEY (id), staff KEY (id)))
SELECT * FROM GRAPH_TABLE (g MATCH (a))
-- error: WREATH_DUPLICATE_NAME
-- query
WITH g AS PROPERTY GRAPH (VERTEX TABLES (staff))
SELECT * FROM GRAPH_TABLE (g MATCH (a))
-- error: WREATH_SYNTAX_ERROR
