package dev.caldera.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The dims of a tensor, outermost first; a scalar has none. */
public record Shape(List<Dim> dims) {

  public Shape {
    dims = List.copyOf(dims);
  }

  /** A shape of the given dims. */
  public static Shape of(Dim... dims) {
    return new Shape(List.of(dims));
  }

  /** A shape of known sizes. */
  public static Shape fixed(long... sizes) {
    List<Dim> dims = new ArrayList<>();
    for (long size : sizes) {
      dims.add(Dim.fixed(size));
    }
    return new Shape(dims);
  }

  /** The number of dims. */
  public int rank() {
    return dims.size();
  }

  /** Dim {@code axis}; a negative axis counts from the end. */
  public Dim dim(int axis) {
    int index = axis < 0 ? axis + rank() : axis;
    if (index < 0 || index >= rank()) {
      throw new IllegalArgumentException(
          "Cannot take dim " + axis + " of shape " + this + ": its rank is " + rank());
    }
    return dims.get(index);
  }

  /** The number of elements. */
  public Dim elements() {
    return dims.stream().reduce(Dim.fixed(1), Dim::product);
  }

  /** The last dim, or 1 for a scalar: the columns of the tensor seen as a matrix. */
  public Dim columns() {
    return dims.isEmpty() ? Dim.fixed(1) : dim(-1);
  }

  /** The product of all dims but the last: the rows of the tensor seen as a matrix. */
  public Dim rows() {
    return dims.isEmpty()
        ? Dim.fixed(1)
        : dims.subList(0, rank() - 1).stream().reduce(Dim.fixed(1), Dim::product);
  }

  /** Whether every dim is a known size. */
  public boolean isFixed() {
    return dims.stream().allMatch(d -> d instanceof Dim.Fixed);
  }

  /** The sizes under {@code bindings}; see {@link Dim#evaluate}. */
  public long[] evaluate(Map<String, Long> bindings) {
    return dims.stream().mapToLong(d -> d.evaluate(bindings)).toArray();
  }

  /**
   * The shape that this one and {@code other} broadcast to, as in NumPy: aligned at the last dim, a
   * dim of 1 takes the other's size.
   *
   * @throws IllegalArgumentException if two dims differ, or are not known to be equal
   */
  public Shape broadcast(Shape other) {
    int rank = Math.max(rank(), other.rank());
    List<Dim> result = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      Dim left = aligned(i, rank);
      Dim right = other.aligned(i, rank);
      if (!left.equals(right) && !left.equals(Dim.fixed(1)) && !right.equals(Dim.fixed(1))) {
        throw new IllegalArgumentException(
            "shapes "
                + this
                + " and "
                + other
                + " do not broadcast: dims "
                + left
                + " and "
                + right);
      }
      result.add(left.equals(Dim.fixed(1)) ? right : left);
    }
    return new Shape(result);
  }

  private Dim aligned(int index, int rank) {
    int own = index - (rank - rank());
    return own < 0 ? Dim.fixed(1) : dims.get(own);
  }

  /** This shape with symbols replaced. */
  public Shape substitute(Map<String, Dim> replacements) {
    return new Shape(dims.stream().map(d -> d.substitute(replacements)).toList());
  }

  @Override
  public String toString() {
    return dims.stream().map(Dim::toString).collect(Collectors.joining(", ", "[", "]"));
  }
}
