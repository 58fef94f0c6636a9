package dev.caldera.model.onnx;

import dev.caldera.graph.MappedFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the messages of onnx.proto that an inference graph uses; numbers are its field numbers. */
final class OnnxFileReader {

  private OnnxFileReader() {}

  static OnnxFile read(MappedFile file) {
    if (file.byteSize() == 0) {
      throw new OnnxException("Cannot read " + file.path() + ": the file is empty");
    }
    Map<String, Long> opsets = new HashMap<>();
    GraphMessage graph = null;
    ProtoReader model = new ProtoReader(file, "the model");
    while (model.next()) {
      switch (model.field()) {
        case 7 -> graph = new GraphMessage(model.message("the graph"));
        case 8 -> opset(model.message("an opset import"), opsets);
        default -> model.skip();
      }
    }
    if (graph == null) {
      throw new OnnxException("Cannot read " + file.path() + " as ONNX: it holds no graph");
    }
    return new OnnxFile(
        opsets, graph.name, graph.nodes, graph.initializers, graph.inputs, graph.outputs);
  }

  private static void opset(ProtoReader reader, Map<String, Long> opsets) {
    String domain = "";
    long version = 0;
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> domain = reader.text();
        case 2 -> version = reader.integer();
        default -> reader.skip();
      }
    }
    opsets.put(domain.equals("ai.onnx") ? "" : domain, version);
  }

  /** A GraphProto. */
  private static final class GraphMessage {
    private String name = "";
    private final List<OnnxNode> nodes = new ArrayList<>();
    private final List<OnnxTensor> initializers = new ArrayList<>();
    private final List<OnnxValueInfo> inputs = new ArrayList<>();
    private final List<OnnxValueInfo> outputs = new ArrayList<>();

    GraphMessage(ProtoReader reader) {
      while (reader.next()) {
        switch (reader.field()) {
          case 1 -> nodes.add(node(reader.message("node " + nodes.size())));
          case 2 -> name = reader.text();
          case 5 -> initializers.add(tensor(reader.message("initializer " + initializers.size())));
          case 11 -> inputs.add(valueInfo(reader.message("an input")));
          case 12 -> outputs.add(valueInfo(reader.message("an output")));
          case 15 -> throw reader.error("sparse initializers are not supported");
          default -> reader.skip();
        }
      }
    }
  }

  private static OnnxNode node(ProtoReader reader) {
    String name = "";
    String opType = "";
    String domain = "";
    List<String> inputs = new ArrayList<>();
    List<String> outputs = new ArrayList<>();
    Map<String, OnnxAttribute> attributes = new HashMap<>();
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> inputs.add(reader.text());
        case 2 -> outputs.add(reader.text());
        case 3 -> name = reader.text();
        case 4 -> opType = reader.text();
        case 5 -> {
          OnnxAttribute attribute = attribute(reader.message("an attribute"));
          attributes.put(attribute.name(), attribute);
        }
        case 7 -> domain = reader.text();
        default -> reader.skip();
      }
    }
    if (outputs.isEmpty()) {
      throw reader.error("a node of op " + opType + " has no output");
    }
    return new OnnxNode(
        name.isEmpty() ? outputs.get(0) : name,
        opType,
        domain.equals("ai.onnx") ? "" : domain,
        inputs,
        outputs,
        attributes);
  }

  private static OnnxAttribute attribute(ProtoReader reader) {
    String name = "";
    long integer = 0;
    float decimal = 0;
    String text = "";
    Optional<OnnxTensor> tensor = Optional.empty();
    List<Long> integers = new ArrayList<>();
    List<Float> decimals = new ArrayList<>();
    boolean other = false;
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> name = reader.text();
        case 2 -> decimal = reader.decimal();
        case 3 -> integer = reader.integer();
        case 4 -> text = reader.text();
        case 5 -> tensor = Optional.of(tensor(reader.message("a tensor attribute")));
        case 7 -> reader.decimals(decimals);
        case 8 -> reader.integers(integers);
        case 13, 20 -> reader.skip();
        default -> {
          other = true;
          reader.skip();
        }
      }
    }
    return new OnnxAttribute(name, integer, decimal, text, tensor, integers, decimals, other);
  }

  private static OnnxTensor tensor(ProtoReader reader) {
    String name = "";
    int dataType = 0;
    Optional<MappedFile> raw = Optional.empty();
    boolean isExternal = false;
    List<Long> dims = new ArrayList<>();
    List<Float> decimals = new ArrayList<>();
    List<Long> integers = new ArrayList<>();
    Map<String, String> external = new HashMap<>();
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> reader.integers(dims);
        case 2 -> dataType = (int) reader.integer();
        case 3 -> throw reader.error("tensors in segments are not supported");
        case 4 -> reader.decimals(decimals);
        case 5, 7 -> reader.integers(integers);
        case 8 -> name = reader.text();
        case 9 -> raw = Optional.of(reader.bytes());
        case 13 -> entry(reader.message("an external data entry"), external);
        case 14 -> isExternal = reader.integer() == 1;
        default -> reader.skip();
      }
    }
    return new OnnxTensor(name, dims, dataType, raw, decimals, integers, isExternal, external);
  }

  private static void entry(ProtoReader reader, Map<String, String> entries) {
    String key = "";
    String value = "";
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> key = reader.text();
        case 2 -> value = reader.text();
        default -> reader.skip();
      }
    }
    entries.put(key, value);
  }

  private static OnnxValueInfo valueInfo(ProtoReader reader) {
    String name = "";
    OnnxValueInfo type = new OnnxValueInfo("", 0, List.of(), false, false);
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> name = reader.text();
        case 2 -> type = type(reader.message("a type"));
        default -> reader.skip();
      }
    }
    return new OnnxValueInfo(name, type.dataType(), type.dims(), type.isTensor(), type.hasShape());
  }

  private static OnnxValueInfo type(ProtoReader reader) {
    boolean isTensor = false;
    boolean hasShape = false;
    int dataType = 0;
    List<String> dims = new ArrayList<>();
    while (reader.next()) {
      if (reader.field() != 1) {
        reader.skip();
        continue;
      }
      isTensor = true;
      ProtoReader tensor = reader.message("a tensor type");
      while (tensor.next()) {
        switch (tensor.field()) {
          case 1 -> dataType = (int) tensor.integer();
          case 2 -> {
            hasShape = true;
            shape(tensor.message("a shape"), dims);
          }
          default -> tensor.skip();
        }
      }
    }
    return new OnnxValueInfo("", dataType, dims, isTensor, hasShape);
  }

  private static void shape(ProtoReader reader, List<String> dims) {
    while (reader.next()) {
      if (reader.field() != 1) {
        reader.skip();
        continue;
      }
      String size = "";
      ProtoReader dim = reader.message("a dim");
      while (dim.next()) {
        switch (dim.field()) {
          case 1 -> size = Long.toString(dim.integer());
          case 2 -> size = dim.text();
          default -> dim.skip();
        }
      }
      dims.add(size);
    }
  }
}
