"""An application that spark-submit starts with a jar of its own and that adds Wreath itself.

Prints one line of JSON: the settings in force and a count.
"""

from __future__ import annotations

import json

import wreath


def main() -> None:
    spark = wreath.start("wreath submit test", master=None)
    edges = spark.createDataFrame([(1, 2), (2, 3), (1, 3)], "src bigint, dst bigint")
    conf = spark.sparkContext.getConf()
    report = {
        "count": wreath.Graph(edges).match("(a)-[]->(b)-[]->(c), (a)-[]->(c)").count(),
        "jars": conf.get("spark.jars"),
        "master": conf.get("spark.master"),
    }
    spark.stop()
    print("REPORT " + json.dumps(report))


if __name__ == "__main__":
    main()
