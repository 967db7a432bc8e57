package io.wreath.spark.index

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import org.scalacheck.Gen

/** Rows of a relation, keys first, cut into the parts that tasks would read. */
final case class RelationCase(mode: CsrBroadcastMode, parts: Seq[Seq[InternalRow]]) {
  def rows: Seq[InternalRow] = parts.flatten

  def build(): CsrRelation =
    new CsrRelationBuilder("t", mode).build(
      parts.iterator.flatMap(p => BlockEncoder.blocks(p.iterator, mode)).toArray)
}

/**
 * Generators. The grid: key type (integers dense and with gaps, bytes, structs, large decimals) x
 * one key or two of equal or different types x columns of fixed and of varying length, NULLs x
 * repeated edges x any cut into parts, empty ones too.
 */
object RelationGen {

  /** A type, values of it, as Catalyst has them, few enough to repeat; and more of it. */
  final case class Keys(tpe: DataType, small: Gen[Any], any: Gen[Any])

  private def string(g: Gen[String]): Gen[Any] = g.map(UTF8String.fromString)

  private val text: Gen[String] =
    Gen.oneOf(
      Gen.stringOf(Gen.oneOf('a', 'b', '\u0000', '\u00e9', '\u20ac', '\u007f')),
      Gen.asciiPrintableStr)

  private val bytes: Gen[Array[Byte]] =
    Gen.listOf(Gen.oneOf(0, 1, -1, 127, -128)).map(_.map(_.toByte).toArray)

  private val large = DecimalType(38, 4)

  private def decimal(g: Gen[BigInt]): Gen[Any] =
    g.map(n => Decimal(BigDecimal(n, large.scale), large.precision, large.scale))

  private val composite = new StructType()
    .add("a", IntegerType)
    .add("b", StringType)
    .add("c", new StructType().add("d", large).add("e", BooleanType).add("f", BinaryType))

  private def orNull(g: Gen[Any]): Gen[Any] = Gen.frequency(1 -> Gen.const(null), 4 -> g)

  private def struct(i: Gen[Int], s: Gen[String], d: Gen[BigInt], b: Gen[Array[Byte]]): Gen[Any] =
    for {
      first <- orNull(i)
      second <- orNull(string(s))
      inner <- orNull(Gen.zip(orNull(decimal(d)), orNull(Gen.oneOf(true, false)), orNull(b)).map {
        case (x, y, z) => new GenericInternalRow(Array[Any](x, y, z))
      })
    } yield new GenericInternalRow(Array[Any](first, second, inner))

  private val largeNumber: Gen[BigInt] =
    Gen.zip(
      Gen.choose(-99999999999999999L, 99999999999999999L),
      Gen.oneOf(1L, 1L << 62, 3L)).map {
      case (a, b) => BigInt(a) * b
    }

  val keys: Seq[Keys] = Seq(
    Keys(LongType, Gen.choose(-3L, 3L), Gen.choose(0L, 3000L)),
    Keys(LongType, Gen.choose(-3L, 3L).map(_ * (1L << 40)), Gen.long),
    Keys(IntegerType, Gen.choose(-3, 3), Gen.choose(Int.MinValue, Int.MaxValue)),
    Keys(DateType, Gen.choose(0, 5), Gen.choose(-1000, 1000)),
    Keys(BooleanType, Gen.oneOf(true, false), Gen.oneOf(true, false)),
    Keys(
      DecimalType(10, 2),
      Gen.choose(-3L, 3L).map(Decimal(_, 10, 2)),
      Gen.choose(-9999999999L, 9999999999L).map(Decimal(_, 10, 2))),
    Keys(StringType, string(Gen.oneOf("", "a", "\u00e9", "a\u0000", "b")), string(text)),
    Keys(BinaryType, Gen.oneOf(Array[Byte](), Array[Byte](0), Array[Byte](-1)), bytes),
    Keys(large, decimal(Gen.choose(-3, 3).map(BigInt(_))), decimal(largeNumber)),
    Keys(
      composite,
      struct(Gen.choose(0, 1), Gen.oneOf("", "\u0000"), Gen.const(BigInt(1)), Gen.const(Array())),
      struct(Gen.choose(Int.MinValue, Int.MaxValue), text, largeNumber, bytes)))

  val columns: Gen[Seq[IndexedColumn]] = Gen.oneOf(
    Nil,
    Seq(IndexedColumn("n", LongType)),
    Seq(IndexedColumn("s", StringType), IndexedColumn("n", LongType)))

  private def column(tpe: DataType): Gen[Any] = tpe match {
    case LongType => orNull(Gen.long)
    case _ => orNull(string(text))
  }

  private def cut[A](rows: Seq[A], at: Seq[Int]): Seq[Seq[A]] = {
    val ends = (at.map(_ % (rows.size + 1)) :+ rows.size).sorted
    ends.zip(0 +: ends).map { case (end, from) => rows.slice(from, end) }
  }

  /** A relation over these keys; each end draws from the few values or from all. */
  def relation(ends: Seq[Keys], distinctKeys: Boolean): Gen[RelationCase] =
    for {
      kept <- columns
      n <- Gen.oneOf(Gen.choose(0, 6), Gen.choose(0, 60))
      few <- Gen.listOfN(ends.size, Gen.oneOf(true, false))
      row = for {
        key <- Gen.sequence[Seq[Any], Any](ends.zip(few).map { case (e, f) =>
          orNull(if (f) e.small else e.any)
        })
        rest <- Gen.sequence[Seq[Any], Any](kept.map(c => column(c.dataType)))
      } yield new GenericInternalRow((key ++ rest).toArray[Any]): InternalRow
      rows <- Gen.listOfN(n, row)
      cuts <- Gen.listOf(Gen.choose(0, 60))
    } yield {
      val mode = CsrBroadcastMode(ends.map(_.tpe), kept)
      val unique = if (!distinctKeys) rows
      else {
        // By encoding, which the suite holds to Spark's own equality.
        def id(r: InternalRow): Any =
          if (r.isNullAt(0)) r
          else NaiveRelation.show(r.get(0, ends.head.tpe))
        rows.distinctBy(id)
      }
      RelationCase(mode, cut(unique, cuts))
    }
}

/** The same relation by sorting and grouping rows, with Spark's own ordering. */
object NaiveRelation {

  /** Values that are equal where Spark says so, to be compared and printed. */
  def show(value: Any): Any = value match {
    case b: Array[Byte] => b.toSeq
    case r: GenericInternalRow => r.values.toSeq.map(show)
    case other => other
  }

  def ordering(tpe: DataType): Ordering[Any] =
    org.apache.spark.sql.catalyst.util.TypeUtils.getInterpretedOrdering(tpe)
}
