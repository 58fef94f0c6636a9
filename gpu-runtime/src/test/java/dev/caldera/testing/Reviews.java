package dev.caldera.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The texts of the 300 product reviews that the example embeds: some empty, long or foreign. */
public final class Reviews {
  private static final Path FILE = Path.of("..", "examples", "embed-reviews", "reviews.csv");
  private static final int TEXT = 2;

  private Reviews() {}

  /** All texts in the file's order; an absent text is an empty one. */
  public static List<String> texts() {
    try {
      List<List<String>> records = parse(Files.readString(FILE));
      return records.stream().skip(1).map(fields -> fields.get(TEXT)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + FILE.toAbsolutePath(), e);
    }
  }

  /** Records of fields: RFC 4180, where a quoted field may hold commas, newlines and "" for ". */
  static List<List<String>> parse(String csv) {
    List<List<String>> records = new ArrayList<>();
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < csv.length(); i++) {
      char c = csv.charAt(i);
      if (quoted) {
        boolean twice = c == '"' && i + 1 < csv.length() && csv.charAt(i + 1) == '"';
        quoted = c != '"' || twice;
        if (quoted) {
          field.append(c);
        }
        i += twice ? 1 : 0;
      } else if (c == '"') {
        quoted = true;
      } else if (c == ',' || c == '\n') {
        fields.add(field.toString());
        field.setLength(0);
        if (c == '\n') {
          records.add(List.copyOf(fields));
          fields.clear();
        }
      } else {
        field.append(c);
      }
    }
    return records;
  }
}
