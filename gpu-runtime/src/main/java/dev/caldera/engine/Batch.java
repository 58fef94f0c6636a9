package dev.caldera.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Texts of one model that run together, packed without padding in the order of the parts.
 *
 * @param model what runs them
 * @param parts at least one, each of at least one text
 */
record Batch(EncoderModel model, List<Part> parts) {

  Batch {
    parts = List.copyOf(parts);
  }

  /** The number of texts. */
  int texts() {
    return parts.stream().mapToInt(Part::texts).sum();
  }

  /** The number of tokens. */
  int tokens() {
    return parts.stream().mapToInt(Part::tokens).sum();
  }

  /** The same texts without those of requests that are over; may have no parts. */
  Batch live() {
    return new Batch(model, parts.stream().filter(part -> !part.request().isDone()).toList());
  }

  /** Two batches of about as many texts each; this one must have more than one text. */
  List<Batch> halves() {
    int half = texts() / 2;
    List<Part> first = new ArrayList<>();
    List<Part> second = new ArrayList<>();
    for (Part part : parts) {
      int here = Math.min(half, part.texts());
      int middle = part.from() + here;
      if (here > 0) {
        first.add(new Part(part.request(), part.from(), middle));
      }
      if (middle < part.to()) {
        second.add(new Part(part.request(), middle, part.to()));
      }
      half -= here;
    }
    return List.of(new Batch(model, first), new Batch(model, second));
  }
}
