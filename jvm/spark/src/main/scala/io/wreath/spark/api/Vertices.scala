package io.wreath.spark.api

import scala.jdk.CollectionConverters._
import scala.language.implicitConversions

import org.apache.spark.sql.types.{StructField, StructType}
import org.apache.spark.sql.{DataFrame, Row}

/** Some vertices of a graph: a sequence of ids, a DataFrame with one column of them, or all. */
sealed trait Vertices {

  /** None for all. */
  private[api] def frame(edges: DataFrame): Option[DataFrame]
}

object Vertices {

  case object All extends Vertices {
    override private[api] def frame(edges: DataFrame): Option[DataFrame] = None
  }

  implicit def ofFrame(ids: DataFrame): Vertices = new Vertices {
    override private[api] def frame(edges: DataFrame): Option[DataFrame] = Some(ids)
  }

  /** Ids of the type that the edges' ends have. */
  implicit def ofIds[T](ids: Seq[T]): Vertices = new Vertices {
    override private[api] def frame(edges: DataFrame): Option[DataFrame] = {
      val id = StructType(Seq(StructField("id", edges.schema("src").dataType)))
      Some(edges.sparkSession.createDataFrame(ids.distinct.map(Row(_)).asJava, id))
    }
  }
}
