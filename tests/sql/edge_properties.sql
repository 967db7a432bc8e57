Columns of edges may be read, in conditions and in the output; each parallel edge is a row of its own.

-- setup
CREATE OR REPLACE TEMPORARY VIEW transfers AS
SELECT * FROM VALUES (1L, 2L, 10), (2L, 1L, 20), (2L, 3L, 5), (3L, 2L, 1) AS t(src, dst, amount);
-- query
SELECT * FROM GRAPH_TABLE (transfers MATCH (a)-[x]->(b)-[y]->(a) WHERE x.amount < y.amount
  COLUMNS (a.id AS a, x.amount + y.amount AS total))
-- plan: BroadcastWcoJoin
-- same as
SELECT * FROM VALUES (1L, 30), (3L, 6)
