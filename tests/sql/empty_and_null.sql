An empty graph has no matches; a NULL end matches nothing; parallel edges are edges of their own.

-- ConfigMatrix: spark.wreath.join.mode = broadcast | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW empty AS SELECT 1L AS src, 2L AS dst WHERE false;
CREATE OR REPLACE TEMPORARY VIEW holes AS
SELECT * FROM VALUES (1L, 2L), (2L, CAST(NULL AS BIGINT)), (NULL, NULL), (2L, 1L), (1L, 2L) AS t(src, dst);
-- query
SELECT count(*) FROM GRAPH_TABLE (empty MATCH (a)->(b)->(c), (a)->(c))
-- same as
SELECT 0L
-- query
SELECT * FROM GRAPH_TABLE (holes MATCH (a)->(b)->(a))
-- same as
SELECT * FROM VALUES (1L, 2L), (1L, 2L), (2L, 1L), (2L, 1L)
