The motif strings of GraphFrames, against the joins and anti-joins that they stand for.

-- ConfigMatrix: spark.sql.adaptive.enabled = true | false
-- ConfigMatrix: spark.wreath.join.mode = auto | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW e AS
SELECT * FROM VALUES ('x', 1, 2), ('y', 2, 1), ('z', 2, 3), ('u', 3, 1), ('v', 3, 4), ('w', 3, 3), ('x', 1, 2) AS t(kind, src, dst);
CREATE OR REPLACE TEMPORARY VIEW v AS
SELECT * FROM VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cid'), (4, 'Dee'), (5, 'Eve') AS t(id, name);
CREATE OR REPLACE TEMPORARY VIEW vs AS SELECT id, struct(id, name) AS s FROM v;
CREATE OR REPLACE TEMPORARY VIEW es AS SELECT src, dst, struct(kind, src, dst) AS s FROM e;
CREATE OR REPLACE TEMPORARY PROPERTY GRAPH motifs
  VERTEX TABLES (v KEY (id)) EDGE TABLES (e SOURCE KEY (src) REFERENCES v DESTINATION KEY (dst) REFERENCES v);
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a)-[e]->(b); (b)-[]->(c)')
-- same as
SELECT a.s, x.s, b.s, c.s FROM es x JOIN es y ON x.dst = y.src JOIN vs a ON a.id = x.src JOIN vs b ON b.id = x.dst JOIN vs c ON c.id = y.dst
-- query
SELECT * FROM GRAPH_TABLE (e MOTIF '(a)-[e]->(b)')
-- same as
SELECT struct(src AS id), s, struct(dst AS id) FROM es
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF "(a)-[]->(b);(b)-[]->(c); !(a)-[]->(c)")
-- same as
SELECT a.s, b.s, c.s FROM es x JOIN es y ON x.dst = y.src JOIN vs a ON a.id = x.src JOIN vs b ON b.id = x.dst JOIN vs c ON c.id = y.dst
WHERE NOT EXISTS (SELECT * FROM e WHERE src = a.id AND dst = c.id)
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a)-[]->(b); !(b)-[]->(c)')
-- same as
SELECT a.s, b.s, c.s FROM es x JOIN vs a ON a.id = x.src JOIN vs b ON b.id = x.dst CROSS JOIN vs c
WHERE NOT EXISTS (SELECT * FROM e WHERE src = b.id AND dst = c.id)
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a)-[x]->(b); !(b)-[]->()')
-- same as
SELECT a.s, x.s, b.s FROM es x JOIN vs a ON a.id = x.src JOIN vs b ON b.id = x.dst WHERE NOT EXISTS (SELECT * FROM e WHERE src = b.id)
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a); !()-[]->(a)')
-- same as
SELECT s FROM vs WHERE NOT EXISTS (SELECT * FROM e WHERE dst = id)
-- query
SELECT a, e, b FROM GRAPH_TABLE (motifs MOTIF '(a)<-[e]-(b)')
-- same as
SELECT a.s, x.s, b.s FROM es x JOIN vs a ON a.id = x.dst JOIN vs b ON b.id = x.src
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a)-[e]-(b)')
-- same as
SELECT a.s, x.s, b.s FROM es x JOIN vs a ON a.id = x.src JOIN vs b ON b.id = x.dst
UNION ALL SELECT a.s, x.s, b.s FROM es x JOIN vs a ON a.id = x.dst JOIN vs b ON b.id = x.src WHERE src <> dst
-- query
SELECT a, e1, b, e2 FROM GRAPH_TABLE (motifs MOTIF '(a)<-[e]->(b)')
-- same as
SELECT a.s, x.s, b.s, y.s FROM es x JOIN es y ON x.dst = y.src AND x.src = y.dst JOIN vs a ON a.id = x.src JOIN vs b ON b.id = x.dst
-- query
SELECT a, _e1, _ab1, _e2, b FROM GRAPH_TABLE (motifs MOTIF '(a)-[e*2]->(b)')
-- same as
SELECT a.s, x.s, m.s, y.s, b.s FROM es x JOIN es y ON x.dst = y.src JOIN vs a ON a.id = x.src JOIN vs m ON m.id = x.dst JOIN vs b ON b.id = y.dst
-- query
SELECT a, _e1, _ab1, _e2, b FROM GRAPH_TABLE (motifs MOTIF '(a)-[e*1..2]->(b)')
-- same as
SELECT a.s, x.s, m.s, y.s, b.s FROM es x JOIN es y ON x.dst = y.src JOIN vs a ON a.id = x.src JOIN vs m ON m.id = x.dst JOIN vs b ON b.id = y.dst
UNION ALL SELECT a.s, x.s, NULL, NULL, b.s FROM es x JOIN vs a ON a.id = x.src JOIN vs b ON b.id = x.dst
-- query
SELECT a, _ab1, b, _ba1 FROM GRAPH_TABLE (motifs MOTIF '(a)<-[*2]->(b)')
-- same as
SELECT a.s, m.s, b.s, n.s FROM es x JOIN es y ON x.dst = y.src JOIN es z ON y.dst = z.src JOIN es w ON z.dst = w.src AND w.dst = x.src
JOIN vs a ON a.id = x.src JOIN vs m ON m.id = x.dst JOIN vs b ON b.id = y.dst JOIN vs n ON n.id = z.dst
-- query
SELECT a, _ab1, b, _ba1 FROM GRAPH_TABLE (motifs MOTIF '(a)<-[*1..2]->(b)') WHERE _ab1 IS NULL
-- same as
SELECT a.s, NULL, b.s, n.s FROM es y JOIN es z ON y.dst = z.src JOIN es w ON z.dst = w.src AND w.dst = y.src
JOIN vs a ON a.id = y.src JOIN vs b ON b.id = y.dst JOIN vs n ON n.id = z.dst
UNION ALL SELECT a.s, NULL, b.s, NULL FROM es x JOIN es y ON x.dst = y.src AND x.src = y.dst JOIN vs a ON a.id = x.src JOIN vs b ON b.id = x.dst
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a)<-[e*2]->(b)')
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a); !(a)-[*2]->(b)')
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a); !(a)<-[]->(b)')
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a)-[e*1..2]-(b)')
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a)-[e]->(b); !(a)-[f]->(b)')
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a)-[e]->(b); (c)-[e]->(d)')
-- error: WREATH_VARIABLE_KIND
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '()-[]->()')
-- error: WREATH_SYNTAX_ERROR
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF '(a)-[e*2..]->(b)')
-- error: WREATH_UNBOUNDED_QUANTIFIER
-- query
SELECT * FROM GRAPH_TABLE (motifs MOTIF (a)-[e]->(b))
-- error: WREATH_SYNTAX_ERROR
