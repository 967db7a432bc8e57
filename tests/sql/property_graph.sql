A property graph names vertex and edge tables; labels choose between them, properties are their columns.

-- ConfigMatrix: spark.sql.adaptive.enabled = true | false
-- ConfigMatrix: spark.wreath.join.mode = auto | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW person AS
SELECT * FROM VALUES (1L, 'Ann', 30), (2L, 'Bob', 40), (3L, 'Cid', 50), (4L, 'Dee', 20) AS t(id, name, age);
CREATE OR REPLACE TEMPORARY VIEW city AS
SELECT * FROM VALUES (1, 'Oslo'), (2, 'Rome') AS t(code, name);
CREATE OR REPLACE TEMPORARY VIEW knows AS
SELECT * FROM VALUES (1L, 2L, 2001), (2L, 3L, 2002), (1L, 3L, 2003), (3L, 9L, 2004), (2L, 3L, 2005),
  (3L, CAST(NULL AS BIGINT), 2006), (3L, 4L, 2007) AS t(a, b, since);
CREATE OR REPLACE TEMPORARY VIEW lives AS
SELECT * FROM VALUES (1L, 1L), (2L, 1L), (3L, 2L), (4L, 7L) AS t(person, city);
CREATE OR REPLACE TEMPORARY PROPERTY GRAPH social
  VERTEX TABLES (
    person KEY (id) LABEL Person PROPERTIES (name, age, age + 1 AS older),
    city KEY (code) LABEL City LABEL Place NO PROPERTIES)
  EDGE TABLES (
    knows SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id)
      LABEL knows PROPERTIES (since),
    lives AS livesIn SOURCE KEY (person) REFERENCES person DESTINATION KEY (city) REFERENCES city
      NO PROPERTIES);
-- query
SELECT * FROM GRAPH_TABLE (social
  MATCH (a IS Person)-[x IS knows]->(b:Person)-[y:knows]->(c), (a)-[IS knows]->(c)
  COLUMNS (a.name AS first, b.name AS second, c.older AS third, x.since, y.since AS later))
-- same as
SELECT a.name, b.name, c.age + 1, x.since, y.since
FROM knows x JOIN knows y ON x.b = y.a JOIN knows z ON z.a = x.a AND z.b = y.b
  JOIN person a ON a.id = x.a JOIN person b ON b.id = x.b JOIN person c ON c.id = y.b
-- query
SELECT * FROM GRAPH_TABLE (social MATCH (a)-[IS knows]->(b))
-- same as
SELECT k.a, k.b FROM knows k JOIN person p ON p.id = k.a JOIN person q ON q.id = k.b
-- query
SELECT count(*) FROM GRAPH_TABLE (social MATCH ()-[IS knows]->())
-- same as
SELECT count(*) FROM knows k JOIN person p ON p.id = k.a JOIN person q ON q.id = k.b
-- query
SELECT * FROM GRAPH_TABLE (SOCIAL MATCH (p)-[IS livesIn]->(c)<-[IS livesIn]-(q), (p)-[k IS knows]->(q)
  WHERE p.age < q.age COLUMNS (c, c.name, p.name AS p, q.name AS q, k.since))
-- same as
SELECT CAST(c.code AS BIGINT), c.name, p.name, q.name, k.since
FROM lives l JOIN city c ON c.code = l.city JOIN lives m ON m.city = c.code JOIN person p ON p.id = l.person
  JOIN person q ON q.id = m.person JOIN knows k ON k.a = p.id AND k.b = q.id
WHERE p.age < q.age
-- query
SELECT * FROM GRAPH_TABLE (social
  MATCH (a WHERE a.age > 30 AND b.age >= a.age)-[x IS knows WHERE x.since > 2002]->(b WHERE b.name LIKE 'C%')
  WHERE a.name <> 'Zoe' COLUMNS (a.name AS a, b.name AS b, x.since))
-- same as
SELECT p.name, q.name, k.since FROM knows k JOIN person p ON p.id = k.a JOIN person q ON q.id = k.b
WHERE p.age > 30 AND q.age >= p.age AND k.since > 2002 AND q.name LIKE 'C%' AND p.name <> 'Zoe'
-- query
SELECT * FROM GRAPH_TABLE (social MATCH (a IS Person) WHERE a.age > 30 COLUMNS (a, a.name))
-- same as
SELECT id, name FROM person WHERE age > 30
-- query
SELECT * FROM GRAPH_TABLE (social MATCH (a IS Person), (c IS Place) COLUMNS (a.name AS p, c.name AS c))
-- same as
SELECT p.name, c.name FROM person p CROSS JOIN city c
-- query
SELECT * FROM GRAPH_TABLE (social MATCH (a)-[x IS knows]->(b) COLUMNS (a.*, x.*, b.name AS friend))
-- same as
SELECT p.name, p.age, p.age + 1, k.since, q.name FROM knows k JOIN person p ON p.id = k.a JOIN person q ON q.id = k.b
-- query
SELECT * FROM GRAPH_TABLE (social MATCH (a)-[IS knows]->(a))
-- same as
SELECT 1L WHERE false
-- query
WITH social AS (SELECT 5L AS src, 6L AS dst) SELECT * FROM GRAPH_TABLE (social MATCH (a)->(b))
-- same as
SELECT 5L, 6L
