package dev.caldera.graph;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One dimension of a shape: a number, a symbol bound later, or exact integer arithmetic over them.
 *
 * <p>The factories below keep sums and products in one normal form, a sum of products with their
 * factors sorted and the constant last, so dims that are equal for every binding are equal as
 * records: {@code product(batch, sequence)} equals {@code product(sequence, batch)}. All arithmetic
 * is exact: an overflow of {@code long} or a quotient with a remainder is an error, never a rounded
 * number.
 */
public sealed interface Dim permits Dim.Fixed, Dim.Symbol, Dim.Sum, Dim.Product, Dim.Quotient {

  /** A known size. */
  record Fixed(long size) implements Dim {
    @Override
    public String toString() {
      return Long.toString(size);
    }
  }

  /** A size known when a shape bucket is bound, for example {@code tokens}. */
  record Symbol(String name) implements Dim {
    @Override
    public String toString() {
      return name;
    }
  }

  /** {@code left + right}. */
  record Sum(Dim left, Dim right) implements Dim {
    @Override
    public String toString() {
      return "(" + left + " + " + right + ")";
    }
  }

  /** {@code left * right}. */
  record Product(Dim left, Dim right) implements Dim {
    @Override
    public String toString() {
      return left + "*" + right;
    }
  }

  /** {@code dividend / divisor}, exact. */
  record Quotient(Dim dividend, Dim divisor) implements Dim {
    @Override
    public String toString() {
      return "(" + dividend + ")/(" + divisor + ")";
    }
  }

  /** A known size. */
  static Dim fixed(long size) {
    return new Fixed(size);
  }

  /** A size bound later. */
  static Dim symbol(String name) {
    return new Symbol(name);
  }

  /**
   * The sum of two dims, in normal form.
   *
   * @throws ArithmeticException if a coefficient overflows
   */
  static Dim sum(Dim left, Dim right) {
    return Polynomial.of(left).plus(Polynomial.of(right)).toDim();
  }

  /**
   * The difference of two dims, in normal form.
   *
   * @throws ArithmeticException if a coefficient overflows
   */
  static Dim difference(Dim left, Dim right) {
    return sum(left, product(right, fixed(-1)));
  }

  /**
   * The product of two dims, in normal form.
   *
   * @throws ArithmeticException if a coefficient overflows
   */
  static Dim product(Dim left, Dim right) {
    return Polynomial.of(left).times(Polynomial.of(right)).toDim();
  }

  /**
   * The exact quotient of two dims; factors that both share are cancelled.
   *
   * @throws ArithmeticException if the divisor is 0, or both are known and the division leaves a
   *     remainder
   */
  static Dim quotient(Dim dividend, Dim divisor) {
    if (dividend instanceof Fixed a && divisor instanceof Fixed b) {
      return fixed(exactQuotient(a.size(), b.size()));
    }
    if (dividend.equals(divisor)) {
      return fixed(1);
    }
    return Polynomial.of(dividend)
        .dividedBy(Polynomial.of(divisor))
        .map(Polynomial::toDim)
        .orElseGet(() -> new Quotient(dividend, divisor));
  }

  /**
   * The size under {@code bindings}, symbol name to size.
   *
   * @throws IllegalArgumentException if a symbol is not bound
   * @throws ArithmeticException if the arithmetic overflows or a quotient has a remainder
   */
  default long evaluate(Map<String, Long> bindings) {
    if (this instanceof Fixed f) {
      return f.size();
    }
    if (this instanceof Symbol s) {
      Long size = bindings.get(s.name());
      if (size == null) {
        throw new IllegalArgumentException(
            "Cannot evaluate dim " + s.name() + ": only " + bindings.keySet() + " are bound");
      }
      return size;
    }
    if (this instanceof Sum s) {
      return Math.addExact(s.left().evaluate(bindings), s.right().evaluate(bindings));
    }
    if (this instanceof Product p) {
      return Math.multiplyExact(p.left().evaluate(bindings), p.right().evaluate(bindings));
    }
    Quotient q = (Quotient) this;
    return exactQuotient(q.dividend().evaluate(bindings), q.divisor().evaluate(bindings));
  }

  /** This dim with each symbol that {@code replacements} names replaced. */
  default Dim substitute(Map<String, Dim> replacements) {
    if (this instanceof Symbol s) {
      return replacements.getOrDefault(s.name(), this);
    }
    if (this instanceof Sum s) {
      return sum(s.left().substitute(replacements), s.right().substitute(replacements));
    }
    if (this instanceof Product p) {
      return product(p.left().substitute(replacements), p.right().substitute(replacements));
    }
    if (this instanceof Quotient q) {
      return quotient(q.dividend().substitute(replacements), q.divisor().substitute(replacements));
    }
    return this;
  }

  /** The names of all symbols in this dim, sorted. */
  default Set<String> symbols() {
    Set<String> names = new TreeSet<>();
    if (this instanceof Symbol s) {
      names.add(s.name());
    } else if (this instanceof Sum s) {
      names.addAll(s.left().symbols());
      names.addAll(s.right().symbols());
    } else if (this instanceof Product p) {
      names.addAll(p.left().symbols());
      names.addAll(p.right().symbols());
    } else if (this instanceof Quotient q) {
      names.addAll(q.dividend().symbols());
      names.addAll(q.divisor().symbols());
    }
    return names;
  }

  private static long exactQuotient(long dividend, long divisor) {
    if (divisor == 0 || dividend % divisor != 0) {
      throw new ArithmeticException(
          "Cannot divide dim " + dividend + " by " + divisor + ": the quotient is not whole");
    }
    return dividend / divisor;
  }
}
