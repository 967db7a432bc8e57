Mistakes have a condition.

-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS SELECT 1L AS src, 2L AS dst;
CREATE OR REPLACE TEMPORARY VIEW people AS SELECT 1L AS id;
CREATE OR REPLACE TEMPORARY VIEW structs AS
SELECT named_struct('x', 1L) AS src, named_struct('x', 2L) AS dst;
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE c.id = 1)
-- error: WREATH_UNKNOWN_VARIABLE
-- query
SELECT a.id FROM GRAPH_TABLE (edges MATCH (a)->(b))
-- error: WREATH_NEEDS_COLUMNS
-- query
SELECT a, count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b)) AS t WHERE B.name = 'Ann' GROUP BY a
-- error: WREATH_NEEDS_COLUMNS
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b)) GROUP BY b.id
-- error: WREATH_NEEDS_COLUMNS
-- query
SELECT a.a, b FROM GRAPH_TABLE (edges MATCH (a)->(b)) AS a
-- same as
SELECT 1L, 2L
-- query
SELECT a.id, t.b FROM GRAPH_TABLE (edges MATCH (a)->(b)) AS t JOIN people a ON a.id = t.a
-- same as
SELECT 1L, 2L
-- query
SELECT a.x FROM GRAPH_TABLE (structs MATCH (a)->(b))
-- same as
SELECT 1L
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a IS Person)->(b))
-- error: WREATH_UNKNOWN_LABEL
-- query
SELECT * FROM GRAPH_TABLE (people MATCH (a)->(b))
-- error: WREATH_MISSING_COLUMN
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->)
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)-[]->+(b))
-- error: WREATH_UNBOUNDED_QUANTIFIER
