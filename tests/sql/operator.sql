The operator is used without being asked, and EXPLAIN names it.

-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS
SELECT * FROM VALUES (1L, 2L), (2L, 3L), (1L, 3L) AS t(src, dst);
-- query
SELECT a, c FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (a)->(c) WHERE a < b)
-- plan: BroadcastWcoJoin
-- same as
SELECT 1L, 3L
