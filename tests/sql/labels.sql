Label expressions leave several tables, which one element reads as one.

-- ConfigMatrix: spark.sql.adaptive.enabled = true | false
-- ConfigMatrix: spark.wreath.join.mode = broadcast | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW person AS SELECT * FROM VALUES (1L, 'Ann'), (2L, 'Bob'), (3L, 'Cid') AS t(id, name);
CREATE OR REPLACE TEMPORARY VIEW post AS SELECT * FROM VALUES (1L, 1L, 'hi'), (2L, 2L, 'yo') AS t(id, author, title);
CREATE OR REPLACE TEMPORARY VIEW note AS
SELECT * FROM VALUES (1, 2L, 1L, CAST(NULL AS BIGINT), 9), (2, 1L, 2L, NULL, 8), (3, 3L, NULL, 1L, 7), (4, 3L, NULL, 9L, 7)
  AS t(id, author, on_post, on_note, stars);
CREATE OR REPLACE TEMPORARY VIEW likes_post AS SELECT * FROM VALUES (1L, 2L), (3L, 1L), (3L, 1L) AS t(person, post);
CREATE OR REPLACE TEMPORARY VIEW likes_note AS SELECT * FROM VALUES (1L, 1), (2L, 3) AS t(person, note);
CREATE OR REPLACE TEMPORARY VIEW knows AS SELECT * FROM VALUES (1L, 2L), (2L, 3L), (1L, 3L) AS t(a, b);
CREATE OR REPLACE TEMPORARY PROPERTY GRAPH talk
  VERTEX TABLES (
    person KEY (id) LABEL Person,
    post KEY (id) LABEL Post PROPERTIES (title, author) LABEL Message PROPERTIES (author),
    note KEY (id) LABEL Note PROPERTIES (stars, author) LABEL Message PROPERTIES (author))
  EDGE TABLES (
    knows SOURCE KEY (a) REFERENCES person DESTINATION KEY (b) REFERENCES person,
    likes_post SOURCE KEY (person) REFERENCES person DESTINATION KEY (post) REFERENCES post LABEL likes,
    likes_note SOURCE KEY (person) REFERENCES person DESTINATION KEY (note) REFERENCES note LABEL likes,
    post AS post_author SOURCE KEY (id) REFERENCES post DESTINATION KEY (author) REFERENCES person LABEL wrote NO PROPERTIES,
    note AS note_author SOURCE KEY (id) REFERENCES note DESTINATION KEY (author) REFERENCES person LABEL wrote NO PROPERTIES,
    note AS replies_post SOURCE KEY (id) REFERENCES note DESTINATION KEY (on_post) REFERENCES post LABEL replies NO PROPERTIES,
    note AS replies_note SOURCE KEY (id) REFERENCES note DESTINATION KEY (on_note) REFERENCES note LABEL replies NO PROPERTIES);
CREATE OR REPLACE TEMPORARY VIEW message AS
SELECT 'p' AS kind, id, author, title, CAST(NULL AS INT) AS stars FROM post
UNION ALL SELECT 'n', id, author, NULL, stars FROM note;
CREATE OR REPLACE TEMPORARY VIEW likes AS
SELECT person, 'p' AS kind, post AS id FROM likes_post UNION ALL SELECT person, 'n', note FROM likes_note;
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (p)-[IS likes]->(m)-[IS wrote]->(q) COLUMNS (p.name AS p, m, q.name AS q))
-- same as
SELECT p.name, m.id, q.name FROM likes l JOIN message m ON m.kind = l.kind AND m.id = l.id
JOIN person p ON p.id = l.person JOIN person q ON q.id = m.author
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (p)-[IS likes]->(m IS Message)-[IS wrote]->(q), (p)-[IS knows]->(q)
  COLUMNS (p.name AS p, m.title, m.stars, q.name AS q))
-- same as
SELECT p.name, m.title, m.stars, q.name FROM likes l JOIN message m ON m.kind = l.kind AND m.id = l.id
JOIN person p ON p.id = l.person JOIN person q ON q.id = m.author JOIN knows k ON k.a = p.id AND k.b = q.id
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (p IS Person)-[IS likes | wrote]-(m IS Post | Note) COLUMNS (p, m, m.author))
-- same as
SELECT l.person, m.id, m.author FROM likes l JOIN message m ON m.kind = l.kind AND m.id = l.id
UNION ALL SELECT author, id, author + 0 FROM message
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (m IS Message & !Post)-[IS replies]->(t IS %) COLUMNS (m, t, t.author, t.stars))
-- same as
SELECT CAST(n.id AS BIGINT), m.id, m.author, m.stars FROM note n JOIN message m
ON m.kind = IF(n.on_post IS NULL, 'n', 'p') AND m.id = coalesce(n.on_post, n.on_note)
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (m IS Message & !Post) COLUMNS (m.author, m.stars))
-- same as
SELECT author, stars FROM note
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (m IS !Message) COLUMNS (m.name))
-- same as
SELECT name FROM person
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (m IS !(Post | Person)) COLUMNS (m.stars))
-- same as
SELECT stars FROM note
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (m IS !!Post) COLUMNS (m.title))
-- same as
SELECT title FROM post
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (m IS Post | Note & !Note) COLUMNS (m.title))
-- same as
SELECT title FROM post
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (m IS (Post | Note) & !Note) COLUMNS (m.title))
-- same as
SELECT title FROM post
-- query
SELECT count(*) FROM GRAPH_TABLE (talk MATCH (a)-[e IS !knows & !likes & !replies]->(b))
-- same as
SELECT count(*) FROM message
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (x)-[e]-(y) WHERE x = y)
-- same as
SELECT 1L, 1L WHERE false
-- query
SELECT count(*) FROM GRAPH_TABLE (talk MATCH (x)-[e]->(y))
-- same as
SELECT (SELECT count(*) FROM knows) + (SELECT count(*) FROM likes) + (SELECT count(*) FROM message)
  + (SELECT count(*) FROM note WHERE coalesce(on_post, on_note) < 5)
-- query
SELECT count(*) FROM GRAPH_TABLE (talk MATCH DIFFERENT VERTICES (x)-[IS replies]->(y IS Message)<-[IS likes]-(p)-[IS likes]->(z IS Message))
-- same as
SELECT count(*) FROM note n JOIN message m ON m.kind = IF(n.on_post IS NULL, 'n', 'p') AND m.id = coalesce(n.on_post, n.on_note)
JOIN likes l ON l.kind = m.kind AND l.id = m.id JOIN likes k ON k.person = l.person
WHERE NOT (k.kind = m.kind AND k.id = m.id) AND NOT (k.kind = 'n' AND k.id = n.id) AND NOT (m.kind = 'n' AND m.id = n.id)
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (m IS Message WHERE m.stars > 7 OR m.title = 'yo') COLUMNS (m, m.stars))
-- same as
SELECT id, stars FROM message WHERE stars > 7 OR title = 'yo'
-- query
SELECT count(*) FROM GRAPH_TABLE (talk MATCH (a)-[IS knows]-(b)-[IS knows]-(c)-[IS knows]-(a))
-- same as
WITH k AS (SELECT a, b FROM knows UNION ALL SELECT b, a FROM knows)
SELECT count(*) FROM k x JOIN k y ON x.b = y.a JOIN k z ON y.b = z.a AND z.b = x.a
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (a IS Persn | Post)->(b))
-- error: WREATH_UNKNOWN_LABEL
-- query
SELECT * FROM GRAPH_TABLE (talk MATCH (a IS Person | )->(b))
-- error: WREATH_SYNTAX_ERROR
