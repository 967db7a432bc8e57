A graph without TEMPORARY is kept by the catalog; tables are added to a graph and dropped from it.

-- setup
DROP PROPERTY GRAPH IF EXISTS town;
DROP VIEW IF EXISTS town_friends;
DROP TABLE IF EXISTS town_person;
DROP TABLE IF EXISTS town_knows;
DROP TABLE IF EXISTS town_house;
DROP TABLE IF EXISTS town_lives;
CREATE TABLE town_person USING parquet AS SELECT * FROM VALUES (1L, 'Ann', 30), (2L, 'B''ob\\', 40) AS t(id, name, age);
CREATE TABLE town_knows USING parquet AS SELECT * FROM VALUES (1L, 2L), (2L, 1L), (1L, 9L) AS t(a, b);
CREATE TABLE town_house USING parquet AS SELECT * FROM VALUES ('x', 1), ('y', 2) AS t(street, number);
CREATE TABLE town_lives USING parquet AS SELECT * FROM VALUES (1L, 'x', 1), (2L, 'y', 2) AS t(person, street, number);
CREATE OR REPLACE TEMPORARY VIEW town_temporary AS SELECT 1L AS id;
CREATE PROPERTY GRAPH town
  VERTEX TABLES (town_person AS person KEY (id) PROPERTIES (name, age + 1 AS older, concat(name, '\'"', ': x') AS quoted))
  EDGE TABLES (town_knows AS knows SOURCE KEY (a) REFERENCES person DESTINATION KEY (b) REFERENCES person);
CREATE VIEW town_friends AS SELECT * FROM GRAPH_TABLE (town MATCH (p)-[IS knows]->(q) COLUMNS (p.name AS p, q.older AS q));
-- query
SELECT * FROM GRAPH_TABLE (town MATCH (p)-[k]->(q) COLUMNS (p.name AS p, q.older AS q, p.quoted))
-- same as
SELECT p.name, q.age + 1, concat(p.name, '\'"', ': x') FROM town_knows k JOIN town_person p ON p.id = a JOIN town_person q ON q.id = b
-- query
SELECT * FROM town_friends
-- same as
SELECT p.name, q.age + 1 FROM town_knows k JOIN town_person p ON p.id = a JOIN town_person q ON q.id = b
-- query
SELECT count(*) FROM GRAPH_TABLE (default.town MATCH (p)->(q)->(p))
-- same as
SELECT 2
-- query
CREATE PROPERTY GRAPH town VERTEX TABLES (town_person KEY (id))
-- error: WREATH_GRAPH_ALREADY_EXISTS
-- query
CREATE PROPERTY GRAPH IF NOT EXISTS town VERTEX TABLES (town_house KEY (street))
-- same as
SELECT 1 WHERE false
-- query
CREATE TEMPORARY PROPERTY GRAPH town VERTEX TABLES (town_person KEY (id))
-- error: WREATH_GRAPH_NAME_IS_TABLE
-- query
CREATE PROPERTY GRAPH town_person VERTEX TABLES (town_person KEY (id))
-- error: WREATH_GRAPH_NAME_IS_TABLE
-- query
CREATE PROPERTY GRAPH other VERTEX TABLES (town_temporary KEY (id))
-- error: WREATH_TEMPORARY_VIEW_IN_GRAPH
-- query
CREATE TEMPORARY PROPERTY GRAPH default.other VERTEX TABLES (town_person KEY (id))
-- error: WREATH_SYNTAX_ERROR
-- setup
ALTER PROPERTY GRAPH town ADD VERTEX TABLES (town_house AS house KEY (street, number))
  EDGE TABLES (town_lives AS lives SOURCE KEY (person) REFERENCES person DESTINATION KEY (street, number) REFERENCES house);
-- query
SELECT * FROM GRAPH_TABLE (town MATCH (p)-[IS lives]->(h) COLUMNS (p.name, h.street))
-- same as
SELECT name, street FROM town_lives JOIN town_person ON id = person
-- query
ALTER PROPERTY GRAPH town DROP VERTEX TABLES (house)
-- error: WREATH_VERTEX_TABLE_IN_USE
-- query
ALTER PROPERTY GRAPH town DROP EDGE TABLES (live)
-- error: WREATH_UNKNOWN_ELEMENT_TABLE
-- query
ALTER PROPERTY GRAPH town ADD VERTEX TABLES (town_person AS person KEY (id))
-- error: WREATH_DUPLICATE_NAME
-- query
ALTER PROPERTY GRAPH nowhere DROP EDGE TABLES (lives)
-- error: WREATH_GRAPH_NOT_FOUND
-- query
ALTER PROPERTY GRAPH town DROP lives
-- error: WREATH_SYNTAX_ERROR
-- setup
ALTER PROPERTY GRAPH town DROP EDGE TABLES (lives);
ALTER PROPERTY GRAPH town DROP VERTEX TABLES (house);
-- query
SELECT * FROM GRAPH_TABLE (town MATCH (p)-[IS lives]->(h))
-- error: WREATH_UNKNOWN_LABEL
-- query
DESCRIBE PROPERTY GRAPH town
-- same as
SELECT * FROM VALUES
  ('vertex', 'person', 'spark_catalog.default.town_person', 'id', NULL, NULL, 'person', 'name, age + 1 AS older, concat(name, \'\\\'"\', \': x\') AS quoted'),
  ('edge', 'knows', 'spark_catalog.default.town_knows', NULL, '(a) REFERENCES person', '(b) REFERENCES person', 'knows', 'ALL COLUMNS')
-- query
SELECT count(*) FROM town
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
SELECT 1 WHERE EXISTS (SELECT * FROM default.town)
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
CREATE VIEW town_copy AS SELECT * FROM town
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
CACHE TABLE town
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
DROP VIEW town
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
DROP VIEW IF EXISTS default.town
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
ALTER VIEW town AS SELECT 1 AS x
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
ALTER VIEW town RENAME TO village
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
ALTER VIEW town SET TBLPROPERTIES ('a' = 'b')
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
ALTER VIEW town UNSET TBLPROPERTIES ('wreath.propertyGraph')
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
CREATE OR REPLACE VIEW town AS SELECT 1 AS x
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
DESCRIBE TABLE town
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
SHOW CREATE TABLE town
-- error: WREATH_GRAPH_IS_NO_VIEW
-- query
SHOW VIEWS LIKE 'town|town_friends'
-- same as
SELECT 'default', 'town_friends', false
-- query
SELECT count(*) FROM GRAPH_TABLE (town MATCH (p)->(q)->(p))
-- same as
SELECT 2
-- setup
CREATE OR REPLACE PROPERTY GRAPH town
  VERTEX TABLES (town_person AS person KEY (id))
  EDGE TABLES (town_knows AS knows SOURCE KEY (a) REFERENCES person DESTINATION KEY (b) REFERENCES person);
DROP PROPERTY GRAPH town;
DROP VIEW town_friends;
DROP TABLE town_person;
DROP TABLE town_knows;
DROP TABLE town_house;
DROP TABLE town_lives;
-- query
DROP PROPERTY GRAPH town
-- error: WREATH_GRAPH_NOT_FOUND
