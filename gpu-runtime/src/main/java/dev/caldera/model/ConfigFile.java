package dev.caldera.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A JSON file of a model folder; what is wrong in it is an error that names file and field. */
final class ConfigFile {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path path;
  private final JsonNode root;

  private ConfigFile(Path path, JsonNode root) {
    this.path = path;
    this.root = root;
  }

  /** The file, or empty when there is none. */
  static Optional<ConfigFile> readIfPresent(Path path) {
    return Files.exists(path) ? Optional.of(read(path)) : Optional.empty();
  }

  /** The file, which must be there and hold a JSON object or array. */
  static ConfigFile read(Path path) {
    try {
      JsonNode root = MAPPER.readTree(Files.readAllBytes(path));
      if (!root.isContainerNode()) {
        throw new IllegalArgumentException(
            "Cannot read " + path + ": it must hold a JSON object or array");
      }
      return new ConfigFile(path, root);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "Cannot read " + path + " as JSON: " + e.getOriginalMessage() + where(e), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("Cannot read " + path + ": " + e, e);
    }
  }

  private static String where(JsonProcessingException e) {
    return e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
  }

  /** The members of an array file. */
  List<ConfigFile> members() {
    if (!root.isArray()) {
      throw new IllegalArgumentException("Cannot read " + path + ": it must hold a JSON array");
    }
    List<ConfigFile> members = new ArrayList<>();
    root.forEach(member -> members.add(new ConfigFile(path, member)));
    return members;
  }

  /** A text field; empty when absent or null. */
  Optional<String> text(String field) {
    return value(field)
        .map(
            value -> {
              if (!value.isTextual()) {
                throw wrong(field, value, "a text");
              }
              return value.textValue();
            });
  }

  /** A true or false field; false when absent or null. */
  boolean flag(String field) {
    return value(field)
        .map(
            value -> {
              if (!value.isBoolean()) {
                throw wrong(field, value, "true or false");
              }
              return value.booleanValue();
            })
        .orElse(false);
  }

  /** A positive whole field; empty when absent or null. */
  OptionalInt count(String field) {
    Optional<JsonNode> value = value(field);
    if (value.isEmpty()) {
      return OptionalInt.empty();
    }
    if (!value.get().canConvertToInt()
        || !value.get().isIntegralNumber()
        || value.get().intValue() <= 0) {
      throw wrong(field, value.get(), "a positive whole number");
    }
    return OptionalInt.of(value.get().intValue());
  }

  private Optional<JsonNode> value(String field) {
    JsonNode value = root.get(field);
    return value == null || value.isNull() ? Optional.empty() : Optional.of(value);
  }

  private IllegalArgumentException wrong(String field, JsonNode value, String right) {
    return new IllegalArgumentException(
        "Cannot use " + field + " " + value + " of " + path + ": it must be " + right);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
