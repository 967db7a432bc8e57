WHERE compares variables with each other, with constants and through any expression.

-- ConfigMatrix: spark.wreath.join.mode = broadcast | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS
SELECT * FROM VALUES (1, 2), (2, 1), (2, 3), (3, 2), (1, 3), (3, 1), (4, 4) AS t(src, dst);
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (a)->(c) WHERE a < b AND b < c)
-- same as
SELECT 1, 2, 3
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (a)->(c) WHERE a.id <> b.id AND b.id + c.id > 4)
-- same as
SELECT count(*) FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON z.src = x.src AND z.dst = y.dst
WHERE x.src <> x.dst AND y.src + y.dst > 4
-- query
SELECT a FROM GRAPH_TABLE (edges MATCH (a)->(b)->(a) WHERE a BETWEEN 2 AND 4)
-- same as
SELECT x.src FROM edges x JOIN edges y ON x.dst = y.src AND x.src = y.dst WHERE x.src BETWEEN 2 AND 4
