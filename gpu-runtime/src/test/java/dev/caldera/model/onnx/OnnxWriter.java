package dev.caldera.model.onnx;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes small ONNX files for tests; numbers are the field numbers of onnx.proto. */
final class OnnxWriter {

  static final int FLOAT = 1;
  static final int UINT8 = 2;
  static final int INT64 = 7;

  private final Message model = new Message();
  private final Message graph = new Message();

  /** A protocol buffers message being written. */
  static final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Message integer(int field, long value) {
      varint((long) field << 3);
      varint(value);
      return this;
    }

    Message decimal(int field, float value) {
      varint((long) field << 3 | 5);
      bytes.writeBytes(
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(value).array());
      return this;
    }

    Message data(int field, byte[] value) {
      varint((long) field << 3 | 2);
      varint(value.length);
      bytes.writeBytes(value);
      return this;
    }

    Message text(int field, String value) {
      return data(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Message message(int field, Message value) {
      return data(field, value.bytes.toByteArray());
    }

    private void varint(long value) {
      long rest = value;
      while ((rest & ~0x7fL) != 0) {
        bytes.write((int) (rest & 0x7f | 0x80));
        rest >>>= 7;
      }
      bytes.write((int) rest);
    }
  }

  OnnxWriter(int opset) {
    model.integer(1, 8).message(8, new Message().integer(2, opset));
    graph.text(2, "test");
  }

  OnnxWriter input(String name, int dataType, String... dims) {
    Message shape = new Message();
    for (String dim : dims) {
      boolean number = dim.matches("-?[0-9]+");
      shape.message(
          1, number ? new Message().integer(1, Long.parseLong(dim)) : new Message().text(2, dim));
    }
    Message tensor = new Message().integer(1, dataType).message(2, shape);
    graph.message(11, new Message().text(1, name).message(2, new Message().message(1, tensor)));
    return this;
  }

  OnnxWriter output(String name) {
    graph.message(12, new Message().text(1, name));
    return this;
  }

  OnnxWriter initializer(Message tensor) {
    graph.message(5, tensor);
    return this;
  }

  OnnxWriter node(
      String name, String op, List<String> inputs, List<String> outputs, Message... attributes) {
    Message node = new Message().text(3, name).text(4, op);
    inputs.forEach(input -> node.text(1, input));
    outputs.forEach(output -> node.text(2, output));
    for (Message attribute : attributes) {
      node.message(5, attribute);
    }
    graph.message(1, node);
    return this;
  }

  static Message header(String name, int dataType, long... dims) {
    Message tensor = new Message().text(8, name).integer(2, dataType);
    for (long dim : dims) {
      tensor.integer(1, dim);
    }
    return tensor;
  }

  /** An F32 tensor in raw data. */
  static Message floats(String name, float[] values, long... dims) {
    ByteBuffer raw = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    raw.asFloatBuffer().put(values);
    return header(name, FLOAT, dims).data(9, raw.array());
  }

  /** An INT64 tensor in a typed field. */
  static Message longs(String name, long[] values, long... dims) {
    Message tensor = header(name, INT64, dims);
    for (long value : values) {
      tensor.integer(7, value);
    }
    return tensor;
  }

  /** An F32 tensor in another file. */
  static Message external(String name, Map<String, String> entries, long... dims) {
    Message tensor = header(name, FLOAT, dims).integer(14, 1);
    entries.forEach((k, v) -> tensor.message(13, new Message().text(1, k).text(2, v)));
    return tensor;
  }

  static Message attribute(String name, long value) {
    return new Message().text(1, name).integer(3, value).integer(20, 2);
  }

  static Message attribute(String name, float value) {
    return new Message().text(1, name).decimal(2, value).integer(20, 1);
  }

  static Message attribute(String name, String value) {
    return new Message().text(1, name).text(4, value).integer(20, 3);
  }

  static Message attribute(String name, long[] values) {
    Message attribute = new Message().text(1, name).integer(20, 7);
    for (long value : values) {
      attribute.integer(8, value);
    }
    return attribute;
  }

  static Message attribute(String name, Message tensor) {
    return new Message().text(1, name).message(5, tensor).integer(20, 4);
  }

  byte[] bytes() {
    Message whole = new Message();
    whole.bytes.writeBytes(model.bytes.toByteArray());
    return whole.message(7, graph).bytes.toByteArray();
  }

  Path write(Path path) {
    try {
      return Files.write(path, bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
