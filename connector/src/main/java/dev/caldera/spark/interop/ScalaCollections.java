package dev.caldera.spark.interop;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** The way between Java's collections and functions and Scala's; the only class that knows it. */
public final class ScalaCollections {
  private ScalaCollections() {}

  /** An immutable Scala sequence of the same elements. */
  public static <T> Seq<T> seq(List<? extends T> list) {
    return CollectionConverters.<T>asScala(List.<T>copyOf(list)).toList();
  }

  /** An immutable Scala sequence. */
  @SafeVarargs
  public static <T> Seq<T> seq(T... elements) {
    return seq(Arrays.asList(elements));
  }

  /** The elements of a Scala sequence. */
  public static <T> List<T> list(scala.collection.Seq<? extends T> sequence) {
    return List.copyOf(CollectionConverters.asJava(sequence));
  }

  /** The entries of a Scala map. */
  public static <K, V> Map<K, V> map(scala.collection.Map<K, V> entries) {
    return CollectionConverters.asJava(entries);
  }

  /** A Scala map of the same entries. */
  public static <K, V> scala.collection.immutable.Map<K, V> map(Map<K, V> entries) {
    return scala.collection.immutable.Map.from(CollectionConverters.asScala(entries));
  }

  /** A Scala function. */
  public static <A, B> Function1<A, B> function(Function<A, B> function) {
    return new AbstractFunction1<>() {
      @Override
      public B apply(A argument) {
        return function.apply(argument);
      }
    };
  }
}
