package org.apache.spark.sql.execution.wreath

import org.apache.spark.sql.test.{SharedSparkSession, TestSparkSession}
import org.apache.spark.{SparkConf, SparkContext}

/**
 * A session whose master the environment may name: with `WREATH_MASTER=local-cluster[2,1,1024]` the tests run
 * on executors in JVMs of their own, which have the tests' class path. Spark starts them from `SPARK_HOME`.
 */
trait ClusterSession extends SharedSparkSession {

  override protected def createSparkSession: TestSparkSession =
    sys.env.get("WREATH_MASTER") match {
      case None => super.createSparkSession
      case Some(master) =>
        val conf: SparkConf = sparkConf
          .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
          .set("spark.sql.testkey", "true")
        new TestSparkSession(new SparkContext(master, "tests", conf))
    }
}
