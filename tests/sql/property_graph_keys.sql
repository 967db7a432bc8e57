A key may have several columns: then a vertex is a struct of them, and one NULL part makes an end match nothing.

-- ConfigMatrix: spark.wreath.join.mode = auto | binary
-- setup
CREATE OR REPLACE TEMPORARY VIEW stations AS
SELECT * FROM VALUES ('no', 1, 'Oslo'), ('no', 2, 'Bergen'), ('it', 1, 'Rome'), ('no', NULL, 'Ghost')
  AS t(land, number, name);
CREATE OR REPLACE TEMPORARY VIEW lines AS
SELECT * FROM VALUES (1L, 'no', 1L, 'no', 90), (1L, 'no', 2L, 'it', 91), (2L, 'no', 1L, 'it', 92),
  (CAST(NULL AS BIGINT), 'no', 1L, 'it', 93), (1L, 'it', 1L, 'no', 94), (1L, 'no', 1L, 'it', 95)
  AS t(from_number, from_land, to_number, to_land, minutes);
CREATE OR REPLACE TEMP PROPERTY GRAPH rail
  NODE TABLES (stations AS Station KEY (land, number))
  RELATIONSHIP TABLES (lines KEY (from_number, to_number, minutes)
    SOURCE KEY (from_number, from_land) REFERENCES Station (number, land)
    DESTINATION KEY (to_land, to_number) REFERENCES Station
    PROPERTIES ARE ALL COLUMNS EXCEPT (from_land, to_land));
-- query
SELECT * FROM GRAPH_TABLE (rail MATCH (a)-[x]->(b) COLUMNS (a, b.name, b.land, x.minutes, x.from_number))
-- same as
SELECT named_struct('land', s.land, 'number', CAST(s.number AS BIGINT)), t.name, t.land, l.minutes, l.from_number
FROM lines l JOIN stations s ON s.land = l.from_land AND s.number = l.from_number
  JOIN stations t ON t.land = l.to_land AND t.number = l.to_number
-- query
SELECT a.land, b.number FROM GRAPH_TABLE (rail MATCH (a IS Station)-[]->(b)-[]->(a) WHERE a <> b)
-- same as
SELECT l.from_land, l.to_number FROM lines l JOIN lines m ON l.to_land = m.from_land AND l.to_number = m.from_number
  AND m.to_land = l.from_land AND m.to_number = l.from_number
WHERE (l.from_land, l.from_number) <> (l.to_land, l.to_number)
  AND (l.to_land, l.to_number) IN (SELECT land, number FROM stations)
-- query
SELECT * FROM GRAPH_TABLE (rail MATCH (a)-[x]->(b) COLUMNS (x.from_land))
-- error: WREATH_UNKNOWN_PROPERTY
