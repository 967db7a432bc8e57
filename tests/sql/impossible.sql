A pattern that no tables can fulfil has no matches: it is no error, whatever stands around it.

-- ConfigMatrix: spark.wreath.join.mode = auto | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW person AS SELECT * FROM VALUES (1L, 'Ann'), (2L, 'Bob') AS t(id, name);
CREATE OR REPLACE TEMPORARY VIEW firm AS SELECT * FROM VALUES ('x', 7, 'Xco') AS t(code, branch, title);
CREATE OR REPLACE TEMPORARY VIEW works AS SELECT * FROM VALUES (1L, 'x', 7, 2020) AS t(who, code, branch, since);
CREATE OR REPLACE TEMPORARY VIEW knows AS SELECT * FROM VALUES (1L, 2L), (2L, 1L) AS t(a, b);
CREATE OR REPLACE TEMPORARY PROPERTY GRAPH jobs
  VERTEX TABLES (person KEY (id) LABEL Person, firm KEY (code, branch) LABEL Firm)
  EDGE TABLES (
    works SOURCE KEY (who) REFERENCES person DESTINATION KEY (code, branch) REFERENCES firm,
    knows SOURCE KEY (a) REFERENCES person DESTINATION KEY (b) REFERENCES person);
CREATE OR REPLACE TEMPORARY PROPERTY GRAPH lonely VERTEX TABLES (person KEY (id) LABEL Person);
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Person)<-[e IS works]-(b IS Firm) COLUMNS (a.name, e.since, b.title, b AS b))
-- same as
SELECT name, since, title, struct(firm.code, firm.branch) FROM person, works, firm WHERE false
-- query
SELECT count(*) FROM GRAPH_TABLE (jobs MATCH (a IS Person & Firm))
-- same as
SELECT 0
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Person & Firm) COLUMNS (a.name, a.title))
-- same as
SELECT name, title FROM person, firm WHERE false
-- query
SELECT count(*) FROM GRAPH_TABLE (jobs MATCH (a IS !%)->(b))
-- same as
SELECT 0
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Person)-[x IS works]->(a IS Firm))
-- same as
SELECT id FROM person WHERE false
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH DIFFERENT EDGES (a)-[IS works]->(b)-[IS works]->(c) WHERE a < c)
-- same as
SELECT id, struct(code, branch), id FROM person, firm WHERE false
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH UNIQUE SUBGRAPHS (a)-[IS works]->(b)-[IS works]->(c))
-- same as
SELECT id, struct(code, branch), id FROM person, firm WHERE false
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Person) OPTIONAL MATCH (a)<-[e IS works]-(b) COLUMNS (a.name, e.since, b.title))
-- same as
SELECT name, CAST(NULL AS INT), CAST(NULL AS STRING) FROM person
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Person)-[IS knows]->(b) WHERE EXISTS { (a)<-[IS works]-(b) })
-- same as
SELECT a, b FROM knows WHERE false
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Person)-[IS knows]->(b) WHERE NOT EXISTS { (a)<-[IS works]-(b) })
-- same as
SELECT a, b FROM knows
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Person)-[IS knows]->(b) WHERE a = 1 OR EXISTS { (a)<-[IS works]-(x) })
-- same as
SELECT a, b FROM knows WHERE a = 1
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Firm)-[IS works]->{1,3}(b))
-- same as
SELECT struct(code, branch), struct(code, branch) FROM firm WHERE false
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Person)-[IS works]->{1,3}(b IS Firm) COLUMNS (a, b.title))
-- same as
SELECT who, title FROM works JOIN firm USING (code, branch)
-- query
SELECT * FROM GRAPH_TABLE (lonely MATCH (a)->(b) COLUMNS (a.name, b AS b))
-- same as
SELECT name, id FROM person WHERE false
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Persn)->(b))
-- error: WREATH_UNKNOWN_LABEL
-- query
SELECT * FROM GRAPH_TABLE (jobs MATCH (a IS Person)<-[e IS works]-(b IS Firm) COLUMNS (a.title))
-- error: WREATH_UNKNOWN_PROPERTY
