Mistakes have a condition.

-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS SELECT 1L AS src, 2L AS dst;
CREATE OR REPLACE TEMPORARY VIEW people AS SELECT 1L AS id;
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE c.id = 1)
-- error: WREATH_UNKNOWN_VARIABLE
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
