package dev.caldera.plan;

import java.util.Optional;

/**
 * A value that needs a place, and when.
 *
 * @param name unique within a plan
 * @param bytes its size, slack not counted
 * @param firstStep the step that writes it; 0 for a graph's input
 * @param lastStep the last step that reads it; a graph's output lives to the last step of all
 * @param view where it lies in another value, when it takes no room of its own
 */
public record LiveValue(
    String name, long bytes, int firstStep, int lastStep, Optional<ViewOf> view) {

  /**
   * A view's place.
   *
   * @param parent the value it lies in, itself a view or not
   * @param offset bytes from the parent's start
   */
  public record ViewOf(String parent, long offset) {}

  public LiveValue {
    if (bytes < 0 || firstStep < 0 || lastStep < firstStep) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot plan value %s: %d bytes live in steps %d to %d",
              name, bytes, firstStep, lastStep));
    }
  }

  /** A value with room of its own. */
  public static LiveValue root(String name, long bytes, int firstStep, int lastStep) {
    return new LiveValue(name, bytes, firstStep, lastStep, Optional.empty());
  }

  /** A value inside another. */
  public static LiveValue view(
      String name, long bytes, int firstStep, int lastStep, String parent, long offset) {
    return new LiveValue(name, bytes, firstStep, lastStep, Optional.of(new ViewOf(parent, offset)));
  }
}
