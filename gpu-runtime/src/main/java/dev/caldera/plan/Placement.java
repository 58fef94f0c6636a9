package dev.caldera.plan;

/**
 * Where a value lies and when it is live.
 *
 * @param value its name
 * @param root the value whose room it takes: itself, unless it is a view
 * @param slot its place
 * @param firstStep the step that writes it
 * @param lastStep the last step that reads it; of a root, or one of its views
 */
public record Placement(String value, String root, Slot slot, int firstStep, int lastStep) {

  /** Whether it lies in another value's room. */
  public boolean isView() {
    return !root.equals(value);
  }
}
