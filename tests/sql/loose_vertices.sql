A vertex that no edge of the pattern leads to is combined with all matches of the rest, which stays one join.

-- ConfigMatrix: spark.sql.adaptive.enabled = true | false
-- setup
CREATE OR REPLACE TEMPORARY VIEW edges AS
SELECT * FROM VALUES (1L, 2L), (2L, 3L), (1L, 3L), (1L, 3L), (3L, 4L), (NULL, 9L) AS t(src, dst);
CREATE OR REPLACE TEMPORARY VIEW ids AS SELECT DISTINCT id FROM (SELECT src AS id FROM edges UNION SELECT dst FROM edges) WHERE id IS NOT NULL;
CREATE OR REPLACE TEMPORARY VIEW person AS SELECT * FROM VALUES (1L, 'Ann'), (2L, 'Bob'), (3L, 'Ann'), (7L, NULL) AS t(id, name);
CREATE OR REPLACE TEMPORARY PROPERTY GRAPH loose VERTEX TABLES (person KEY (id))
  EDGE TABLES (edges AS knows SOURCE KEY (src) REFERENCES person DESTINATION KEY (dst) REFERENCES person);
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (a)->(c), (d))
-- plan: BroadcastWcoJoin
-- same as
SELECT x.src, x.dst, y.dst, ids.id FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON z.src = x.src AND z.dst = y.dst CROSS JOIN ids
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH DIFFERENT VERTICES (a)->(b)->(c), (a)->(c), (d) WHERE d > a)
-- plan: BroadcastWcoJoin
-- same as
SELECT x.src, x.dst, y.dst, ids.id FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON z.src = x.src AND z.dst = y.dst
JOIN ids ON ids.id > x.src AND ids.id <> x.dst AND ids.id <> y.dst WHERE x.src <> x.dst AND x.dst <> y.dst AND x.src <> y.dst
-- query
SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (a)->(c), (d), (e) WHERE d = e)
-- plan: BroadcastWcoJoin
-- same as
SELECT count(*) FROM edges x JOIN edges y ON x.dst = y.src JOIN edges z ON z.src = x.src AND z.dst = y.dst CROSS JOIN ids
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (d) WHERE d = a)
-- plan: BroadcastWcoJoin
-- same as
SELECT x.src, x.dst, y.dst, x.src FROM edges x JOIN edges y ON x.dst = y.src
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (d) WHERE NOT EXISTS { (d)->(a) })
-- plan: BroadcastWcoJoin
-- same as
SELECT x.src, x.dst, y.dst, id FROM edges x JOIN edges y ON x.dst = y.src CROSS JOIN ids
WHERE NOT EXISTS (SELECT * FROM edges z WHERE z.src = id AND z.dst = x.src)
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b), (d) WHERE d < b)
-- same as
SELECT src, dst, id FROM edges JOIN ids ON id < dst WHERE src IS NOT NULL
-- query
SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (d)->(e)->(d))
-- same as
SELECT 1L, 1L, 1L, 1L, 1L WHERE false
-- query
SELECT * FROM GRAPH_TABLE (loose MATCH (a)->(b)->(c), (d) WHERE d.name = a.name COLUMNS (a.id AS a, b.id AS b, c.id AS c, d.id AS d, d.name))
-- plan: BroadcastWcoJoin
-- same as
SELECT x.src, x.dst, y.dst, d.id, d.name FROM edges x JOIN edges y ON x.dst = y.src JOIN person p ON p.id = x.src
JOIN person q ON q.id = x.dst JOIN person r ON r.id = y.dst JOIN person d ON d.name = p.name
