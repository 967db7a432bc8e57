a.* in COLUMNS is every property: of a vertex of a plain table its id, of an edge the table's columns.

-- ConfigMatrix: spark.wreath.join.mode = auto | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW transfers AS
SELECT * FROM VALUES (1L, 2L, 10), (2L, 1L, 20), (2L, 3L, 5), (3L, 2L, 1) AS t(src, dst, amount);
-- query
SELECT * FROM GRAPH_TABLE (transfers MATCH (a)-[x]->(b)-[]->(a) COLUMNS (b.*, x.*))
-- same as
SELECT x.dst, x.* FROM transfers x JOIN transfers y ON x.dst = y.src AND x.src = y.dst
-- query
SELECT * FROM GRAPH_TABLE (transfers MATCH (a)-[x]->(b) COLUMNS (c.*))
-- error: WREATH_UNKNOWN_VARIABLE
-- query
SELECT `(amount + 1)`, `(id = 2)` FROM GRAPH_TABLE (transfers
  MATCH (a)-[x]->(b) COLUMNS (x.amount + 1, CAST(x.amount AS STRING), a.id = 2))
-- same as
SELECT amount + 1, src = 2 FROM transfers
-- query
SELECT amount FROM GRAPH_TABLE (transfers MATCH (a)-[x]->(b) COLUMNS (CAST(x.amount AS STRING)))
-- same as
SELECT CAST(amount AS STRING) FROM transfers
