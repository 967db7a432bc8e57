The two ends of an edge table may be named by different types: persons by numbers, languages by strings.

-- ConfigMatrix: spark.wreath.join.mode = auto | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW persons AS SELECT * FROM VALUES (1), (2), (3) AS t(id);
CREATE OR REPLACE TEMPORARY VIEW languages AS SELECT * FROM VALUES ('no', 'Norsk'), ('it', 'Italiano') AS t(code, name);
CREATE OR REPLACE TEMPORARY VIEW speaks AS
SELECT * FROM VALUES (1L, 'no'), (2L, 'no'), (2L, 'it'), (3L, 'it'), (9L, 'it'), (1L, 'xx') AS t(person, language);
CREATE OR REPLACE TEMPORARY PROPERTY GRAPH babel
  VERTEX TABLES (persons KEY (id), languages KEY (code))
  EDGE TABLES (speaks SOURCE KEY (person) REFERENCES persons DESTINATION KEY (language) REFERENCES languages);
-- query
SELECT * FROM GRAPH_TABLE (babel MATCH (a)-[]->(l)<-[]-(b) WHERE a < b)
-- same as
SELECT x.person, x.language, y.person FROM speaks x JOIN speaks y ON x.language = y.language
  JOIN persons p ON p.id = x.person JOIN persons q ON q.id = y.person JOIN languages m ON m.code = x.language
WHERE x.person < y.person
-- query
SELECT * FROM GRAPH_TABLE (babel MATCH (a)-[]->(l)<-[]-(b)-[]->(m) WHERE l <> m
  COLUMNS (a, l.name AS one, m.name AS other, a.id))
-- same as
SELECT x.person, l.name, m.name, CAST(x.person AS INT) FROM speaks x JOIN speaks y ON x.language = y.language
  JOIN speaks z ON z.person = y.person JOIN persons p ON p.id = x.person JOIN persons q ON q.id = y.person
  JOIN languages l ON l.code = x.language JOIN languages m ON m.code = z.language
WHERE x.language <> z.language
