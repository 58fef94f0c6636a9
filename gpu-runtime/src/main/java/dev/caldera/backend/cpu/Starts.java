package dev.caldera.backend.cpu;

/** Where the sequences of a packed batch begin, checked: ascending from 0 to the rows at most. */
final class Starts {
  private final int[] starts;

  private Starts(int[] starts) {
    this.starts = starts;
  }

  /** Reads the operand {@code starts} : i32 [sequences + 1]. */
  static Starts of(String node, Place place, int rows, RunScope scope) {
    int[] starts = new int[place.columns(scope)];
    float[] data = place.data(scope);
    for (int i = 0; i < starts.length; i++) {
      starts[i] = Bits.getInt(data, place.at() + i);
      if (starts[i] < (i == 0 ? 0 : starts[i - 1]) || starts[i] > rows) {
        throw new IllegalArgumentException(
            "Cannot run node %s: start %d is %d, expected ascending numbers from 0 to %d"
                .formatted(node, i, starts[i], rows));
      }
    }
    return new Starts(starts);
  }

  /** The number of sequences. */
  int count() {
    return starts.length - 1;
  }

  /** The first row of a sequence. */
  int start(int sequence) {
    return starts[sequence];
  }

  /** The rows of a sequence. */
  int length(int sequence) {
    return starts[sequence + 1] - starts[sequence];
  }
}
