package dev.caldera.graph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The normal form of a dim: a sum of monomials, each a sorted list of factors with a coefficient.
 * Symbols and quotients are factors; the monomial without factors is the constant.
 */
record Polynomial(Map<List<Dim>, Long> monomials) {

  /** Monomials with more factors first, then by name; the constant is the last. */
  private static final Comparator<List<Dim>> ORDER =
      Comparator.<List<Dim>>comparingInt(factors -> -factors.size()).thenComparing(List::toString);

  static Polynomial of(Dim dim) {
    if (dim instanceof Dim.Fixed fixed) {
      return monomial(List.of(), fixed.size());
    }
    if (dim instanceof Dim.Sum sum) {
      return of(sum.left()).plus(of(sum.right()));
    }
    if (dim instanceof Dim.Product product) {
      return of(product.left()).times(of(product.right()));
    }
    return monomial(List.of(dim), 1);
  }

  private static Polynomial monomial(List<Dim> factors, long coefficient) {
    Map<List<Dim>, Long> monomials = new TreeMap<>(ORDER);
    add(monomials, factors, coefficient);
    return new Polynomial(monomials);
  }

  private static void add(Map<List<Dim>, Long> monomials, List<Dim> factors, long coefficient) {
    long sum = Math.addExact(monomials.getOrDefault(factors, 0L), coefficient);
    if (sum == 0) {
      monomials.remove(factors);
    } else {
      monomials.put(factors, sum);
    }
  }

  Polynomial plus(Polynomial other) {
    Map<List<Dim>, Long> sum = new TreeMap<>(ORDER);
    sum.putAll(monomials);
    other.monomials.forEach((factors, coefficient) -> add(sum, factors, coefficient));
    return new Polynomial(sum);
  }

  Polynomial times(Polynomial other) {
    Map<List<Dim>, Long> product = new TreeMap<>(ORDER);
    monomials.forEach(
        (left, a) ->
            other.monomials.forEach(
                (right, b) -> {
                  List<Dim> factors = new ArrayList<>(left);
                  factors.addAll(right);
                  factors.sort(Comparator.comparing(Dim::toString));
                  add(product, List.copyOf(factors), Math.multiplyExact(a, b));
                }));
    return new Polynomial(product);
  }

  /** The quotient, if {@code divisor} is one monomial that divides each of this one. */
  Optional<Polynomial> dividedBy(Polynomial divisor) {
    if (divisor.monomials.isEmpty()) {
      throw new ArithmeticException("Cannot divide dim " + toDim() + " by 0");
    }
    if (divisor.monomials.size() != 1) {
      return Optional.empty();
    }
    List<Dim> factors = divisor.monomials.keySet().iterator().next();
    long coefficient = divisor.monomials.values().iterator().next();
    Map<List<Dim>, Long> quotient = new TreeMap<>(ORDER);
    for (Map.Entry<List<Dim>, Long> monomial : monomials.entrySet()) {
      List<Dim> rest = new ArrayList<>(monomial.getKey());
      for (Dim factor : factors) {
        if (!rest.remove(factor)) {
          return Optional.empty();
        }
      }
      if (monomial.getValue() % coefficient != 0) {
        return Optional.empty();
      }
      add(quotient, List.copyOf(rest), monomial.getValue() / coefficient);
    }
    return Optional.of(new Polynomial(quotient));
  }

  Dim toDim() {
    return monomials.entrySet().stream()
        .map(e -> toDim(e.getKey(), e.getValue()))
        .reduce((left, right) -> new Dim.Sum(left, right))
        .orElse(Dim.fixed(0));
  }

  private static Dim toDim(List<Dim> factors, long coefficient) {
    Optional<Dim> product = factors.stream().reduce((left, right) -> new Dim.Product(left, right));
    if (product.isEmpty()) {
      return Dim.fixed(coefficient);
    }
    return coefficient == 1
        ? product.get()
        : new Dim.Product(product.get(), Dim.fixed(coefficient));
  }
}
