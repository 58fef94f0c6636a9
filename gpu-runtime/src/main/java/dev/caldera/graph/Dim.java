package dev.caldera.graph;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One dimension of a shape: a number, a symbol bound later, or exact integer arithmetic over them.
 *
 * <p>Dims are compared structurally after the simplifications of the factories below, so {@code
 * product(batch, fixed(1))} equals {@code symbol("batch")}. All arithmetic is exact: an overflow of
 * {@code long} or a quotient with a remainder is an error, never a rounded number.
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

  /** The sum of two dims; constants are folded and stand on the right. */
  static Dim sum(Dim left, Dim right) {
    if (left instanceof Fixed l && right instanceof Fixed r) {
      return fixed(Math.addExact(l.size(), r.size()));
    }
    if (left instanceof Fixed l) {
      return l.size() == 0 ? right : sum(right, left);
    }
    if (right instanceof Fixed r) {
      if (r.size() == 0) {
        return left;
      }
      if (left instanceof Sum s && s.right() instanceof Fixed c) {
        return sum(s.left(), fixed(Math.addExact(c.size(), r.size())));
      }
    }
    return new Sum(left, right);
  }

  /** The product of two dims; constants are folded and stand on the right. */
  static Dim product(Dim left, Dim right) {
    if (left instanceof Fixed l && right instanceof Fixed r) {
      return fixed(Math.multiplyExact(l.size(), r.size()));
    }
    if (left instanceof Fixed l) {
      return l.size() == 1 ? right : product(right, left);
    }
    if (right instanceof Fixed r) {
      if (r.size() == 1) {
        return left;
      }
      if (r.size() == 0) {
        return right;
      }
      if (left instanceof Product p && p.right() instanceof Fixed c) {
        return product(p.left(), fixed(Math.multiplyExact(c.size(), r.size())));
      }
    }
    if (right instanceof Product p && p.right() instanceof Fixed) {
      return product(product(left, p.left()), p.right());
    }
    return new Product(left, right);
  }

  /**
   * The exact quotient of two dims; a factor that both share is cancelled.
   *
   * @throws ArithmeticException if both are known and the division leaves a remainder
   */
  static Dim quotient(Dim dividend, Dim divisor) {
    if (divisor.equals(fixed(1))) {
      return dividend;
    }
    if (dividend.equals(divisor)) {
      return fixed(1);
    }
    if (dividend instanceof Fixed a && divisor instanceof Fixed b) {
      return fixed(exactQuotient(a.size(), b.size()));
    }
    if (dividend instanceof Product p) {
      if (p.left().equals(divisor)) {
        return p.right();
      }
      if (p.right().equals(divisor)) {
        return p.left();
      }
      if (p.right() instanceof Fixed a
          && divisor instanceof Fixed b
          && b.size() != 0
          && a.size() % b.size() == 0) {
        return product(p.left(), fixed(a.size() / b.size()));
      }
      if (divisor instanceof Product q && q.right().equals(p.right())) {
        return quotient(p.left(), q.left());
      }
    }
    return new Quotient(dividend, divisor);
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
