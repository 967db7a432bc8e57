What is wrong with a graph is said when it is created; what is wrong with a pattern, when it is used.

-- setup
CREATE OR REPLACE TEMPORARY VIEW people AS SELECT 1L AS id, 'x' AS name;
CREATE OR REPLACE TEMPORARY VIEW firms AS SELECT 1L AS id, 'x' AS name;
CREATE OR REPLACE TEMPORARY VIEW works AS SELECT 1L AS person, 1L AS firm;
CREATE OR REPLACE TEMPORARY VIEW owns AS SELECT 1L AS person, 1L AS firm;
CREATE OR REPLACE TEMPORARY PROPERTY GRAPH trade
  VERTEX TABLES (people KEY (id) LABEL person LABEL party, firms KEY (id) LABEL firm LABEL party)
  EDGE TABLES (
    works SOURCE KEY (person) REFERENCES people DESTINATION KEY (firm) REFERENCES firms,
    owns SOURCE KEY (person) REFERENCES people DESTINATION KEY (firm) REFERENCES firms);
-- query
SELECT * FROM GRAPH_TABLE (trade MATCH (a IS persn)-[IS works]->(b))
-- error: WREATH_UNKNOWN_LABEL
-- query
SELECT * FROM GRAPH_TABLE (trade MATCH (a IS works)-[IS works]->(b))
-- error: WREATH_UNKNOWN_LABEL
-- query
SELECT * FROM GRAPH_TABLE (trade MATCH (a IS party)-[IS works]->(b IS party) COLUMNS (a.name AS a, b.name AS b))
-- same as
SELECT 'x', 'x'
-- query
SELECT * FROM GRAPH_TABLE (trade MATCH (a IS person)-[x IS works]->(b) WHERE a.salary > 3)
-- error: WREATH_UNKNOWN_PROPERTY
-- query
CREATE TEMPORARY PROPERTY GRAPH trade VERTEX TABLES (people KEY (id))
-- error: WREATH_GRAPH_ALREADY_EXISTS
-- query
CREATE TEMPORARY PROPERTY GRAPH people VERTEX TABLES (people KEY (id))
-- error: WREATH_GRAPH_NAME_IS_TABLE
-- query
CREATE PROPERTY GRAPH stored VERTEX TABLES (people KEY (id))
-- error: WREATH_TEMPORARY_VIEW_IN_GRAPH
-- query
CREATE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (people)
-- error: WREATH_SYNTAX_ERROR
-- query
CREATE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (nobody KEY (id))
-- error: TABLE_OR_VIEW_NOT_FOUND
-- query
CREATE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (people KEY (idd))
-- error: UNRESOLVED_COLUMN.WITH_SUGGESTION
-- query
DROP PROPERTY GRAPH nothing
-- error: WREATH_GRAPH_NOT_FOUND
-- query
DESCRIBE PROPERTY GRAPH nothing
-- error: WREATH_GRAPH_NOT_FOUND
