package dev.caldera.model.onnx;

import static dev.caldera.model.onnx.OnnxWriter.FLOAT;
import static dev.caldera.model.onnx.OnnxWriter.INT64;
import static dev.caldera.model.onnx.OnnxWriter.attribute;
import static dev.caldera.model.onnx.OnnxWriter.external;
import static dev.caldera.model.onnx.OnnxWriter.floats;
import static dev.caldera.model.onnx.OnnxWriter.header;
import static dev.caldera.model.onnx.OnnxWriter.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.Graph;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxLoaderTest {

  @TempDir Path folder;

  private Graph load(OnnxWriter model) {
    return OnnxLoader.load(model.write(folder.resolve("model.onnx")));
  }

  private String error(OnnxWriter model) {
    Path file = model.write(folder.resolve("bad.onnx"));
    try {
      OnnxLoader.load(file);
      return "no error";
    } catch (OnnxException e) {
      return String.valueOf(e.getMessage()).replace(file.toString(), "FILE");
    }
  }

  /** x [rows, 2] times w [2, 3], with a part of shape arithmetic that flattens it. */
  private static OnnxWriter small() {
    return new OnnxWriter(13)
        .input("x", FLOAT, "rows", "2")
        .initializer(floats("w", new float[] {1, 2, 3, 4, 5, 6}, 2, 3))
        .initializer(longs("zero", new long[] {0}, 1))
        .initializer(longs("three", new long[] {3}, 1))
        .node("shape", "Shape", List.of("x"), List.of("s"))
        .node("rows", "Gather", List.of("s", "zero"), List.of("r"), attribute("axis", 0))
        .node("size", "Mul", List.of("r", "three"), List.of("n"))
        .node("product", "MatMul", List.of("x", "w"), List.of("p"))
        .node("flat", "Reshape", List.of("p", "n"), List.of("y"))
        .output("y");
  }

  @Test
  void foldsShapeArithmeticOnSymbolicDims() {
    Graph graph = load(small());
    assertThat(graph.describe())
        .isEqualTo(
            """
            graph test: 2 nodes, 1 constant of 24 bytes
              input x: f32[rows, 2]
              product: f32[rows, 3] = MatMul[](x, w: f32[2, 3])
              y: f32[rows*3] = Reshape[shape=[rows*3]](product) @flat
              output y: f32[rows*3]
            """);
    HostTensor x = HostTensor.floats(new float[] {1, 0, 0, 1}, 2, 2);
    assertThat(HostEvaluator.evaluateSingle(graph, Map.of("x", x)).toFloats())
        .containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void decidesWhereShapesAreCompared() {
    // Where(shape == -1, 1, shape), as exporters write it around Expand.
    Graph graph =
        load(
            new OnnxWriter(13)
                .input("x", FLOAT, "batch", "1", "sequence")
                .initializer(longs("one", new long[] {1}, 1))
                .initializer(longs("minus", new long[] {-1}, 1))
                .node("shape", "Shape", List.of("x"), List.of("s"))
                .node("len", "Shape", List.of("s"), List.of("n"))
                .node(
                    "ones",
                    "ConstantOfShape",
                    List.of("n"),
                    List.of("o"),
                    attribute("value", longs("", new long[] {1}, 1)))
                .node("minuses", "Mul", List.of("o", "minus"), List.of("m"))
                .node("same", "Equal", List.of("s", "m"), List.of("e"))
                .node("where", "Where", List.of("e", "o", "s"), List.of("w"))
                .node("expand", "Expand", List.of("x", "w"), List.of("same_x"))
                .node("relu", "Relu", List.of("same_x"), List.of("y"))
                .output("y"));
    assertThat(graph.nodes()).hasSize(1);
    assertThat(graph.outputs().get(0).type()).hasToString("f32[batch, 1, sequence]");
  }

  @Test
  void aSymbolicRangeLimitsItsSymbol() {
    Graph graph =
        load(
            new OnnxWriter(13)
                .input("ids", INT64, "batch", "sequence")
                .initializer(longs("zero", new long[] {0}))
                .initializer(longs("one", new long[] {1}))
                .node("shape", "Shape", List.of("ids"), List.of("s"), attribute("start", 1))
                .node("squeeze", "Squeeze", List.of("s"), List.of("n"))
                .node("range", "Range", List.of("zero", "n", "one"), List.of("y"))
                .output("y"));
    assertThat(graph.outputs()).extracting(Object::toString).containsExactly("y: i64[sequence]");
    assertThat(graph.limits()).containsEntry("sequence", 65536L);
  }

  @Test
  void readsAttributesOfOldOpsetsAndOperandsOfNewOnes() {
    Graph old =
        load(
            new OnnxWriter(9)
                .input("x", FLOAT, "rows", "4")
                .node(
                    "slice",
                    "Slice",
                    List.of("x"),
                    List.of("a"),
                    attribute("starts", new long[] {1}),
                    attribute("ends", new long[] {-1}),
                    attribute("axes", new long[] {1}))
                .node(
                    "up",
                    "Unsqueeze",
                    List.of("a"),
                    List.of("b"),
                    attribute("axes", new long[] {0}))
                .node(
                    "mean",
                    "ReduceMean",
                    List.of("b"),
                    List.of("c"),
                    attribute("axes", new long[] {-1}),
                    attribute("keepdims", 0))
                .node("soft", "Softmax", List.of("c"), List.of("y"))
                .output("y"));
    Graph recent =
        load(
            new OnnxWriter(21)
                .input("x", FLOAT, "rows", "4")
                .initializer(longs("from", new long[] {1}, 1))
                .initializer(longs("to", new long[] {-1}, 1))
                .initializer(longs("axis", new long[] {1}, 1))
                .initializer(longs("front", new long[] {0}, 1))
                .initializer(longs("last", new long[] {-1}, 1))
                .node("slice", "Slice", List.of("x", "from", "to", "axis"), List.of("a"))
                .node("up", "Unsqueeze", List.of("a", "front"), List.of("b"))
                .node(
                    "mean",
                    "ReduceMean",
                    List.of("b", "last"),
                    List.of("c"),
                    attribute("keepdims", 0))
                .node("soft", "Softmax", List.of("c"), List.of("y"), attribute("axis", 1))
                .output("y"));
    assertThat(old.describe()).isEqualTo(recent.describe());
    HostTensor x = HostTensor.floats(new float[] {9, 0, 2, 9, 9, 4, 6, 9}, 2, 4);
    HostTensor y = HostEvaluator.evaluateSingle(old, Map.of("x", x));
    assertThat(y.dims()).containsExactly(1, 2);
    assertThat(y.floatAt(1)).isEqualTo((float) (1 / (1 + Math.exp(-4))));
  }

  @Test
  void importsGemmLayerNormalizationGeluAndSplit() {
    Graph graph =
        load(
            new OnnxWriter(20)
                .input("x", FLOAT, "rows", "2")
                .initializer(floats("w", new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 4, 2))
                .initializer(floats("b", new float[] {1, 1, 1, 1}, 4))
                .initializer(floats("gamma", new float[] {1, 2}, 2))
                .node(
                    "norm",
                    "LayerNormalization",
                    List.of("x", "gamma"),
                    List.of("n"),
                    attribute("epsilon", 1e-6f))
                .node(
                    "gemm",
                    "Gemm",
                    List.of("n", "w", "b"),
                    List.of("g"),
                    attribute("transB", 1),
                    attribute("alpha", 2f))
                .node("gelu", "Gelu", List.of("g"), List.of("a"), attribute("approximate", "tanh"))
                .node(
                    "split",
                    "Split",
                    List.of("a"),
                    List.of("left", "right"),
                    attribute("axis", -1),
                    attribute("num_outputs", 2))
                .node("sub", "Sub", List.of("left", "right"), List.of("y"))
                .output("y"));
    HostTensor x = HostTensor.floats(new float[] {-1, 1}, 1, 2);
    // The norm is (-1, 2); the product with w is (3, 5, 7, 9), doubled and one more.
    HostTensor y = HostEvaluator.evaluateSingle(graph, Map.of("x", x));
    assertThat(y.dims()).containsExactly(1, 2);
    assertThat(y.floatAt(0)).isCloseTo(7 - 15, org.assertj.core.api.Assertions.within(1e-3f));
  }

  @Test
  void mapsExternalDataBehindTwoGibibytes() throws IOException {
    long offset = 3L << 30;
    try (RandomAccessFile file =
        new RandomAccessFile(folder.resolve("weights.bin").toFile(), "rw")) {
      file.setLength(offset + 8);
      file.seek(offset);
      file.write(
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putFloat(5).putFloat(6).array());
    }
    Map<String, String> place =
        Map.of("location", "weights.bin", "offset", Long.toString(offset), "length", "8");
    Graph graph = load(withExternal(place));
    HostTensor x = HostTensor.floats(new float[] {1, 1}, 1, 2);
    assertThat(HostEvaluator.evaluateSingle(graph, Map.of("x", x)).toFloats())
        .containsExactly(6, 7);
  }

  private static OnnxWriter withExternal(Map<String, String> place) {
    return new OnnxWriter(13)
        .input("x", FLOAT, "rows", "2")
        .initializer(external("w", place, 2))
        .node("sum", "Add", List.of("x", "w"), List.of("y"))
        .output("y");
  }

  @Test
  void refusesExternalDataThatIsNotThere() throws IOException {
    Files.write(folder.resolve("weights.bin"), new byte[12]);
    assertThat(error(withExternal(Map.of("location", "../weights.bin"))))
        .isEqualTo(
            "Cannot load tensor w of FILE: its external file \"../weights.bin\" is not in the"
                + " model's folder");
    assertThat(error(withExternal(Map.of("location", "/etc/passwd"))))
        .contains("is not in the model's folder");
    assertThat(error(withExternal(Map.of("location", "none.bin"))))
        .contains("there is no external file");
    assertThat(error(withExternal(Map.of("location", "weights.bin", "offset", "8"))))
        .endsWith("bytes 8 to 8 + 8 do not lie in weights.bin of 12 bytes");
    assertThat(error(withExternal(Map.of("location", "weights.bin", "offset", "x"))))
        .endsWith("its external offset \"x\" is not a number");
    assertThat(error(withExternal(Map.of("location", "weights.bin", "length", "12"))))
        .endsWith("its dims [2] of F32 take 8 bytes, but the file holds 12");
  }

  private static OnnxWriter one(int opset, String op, OnnxWriter.Message... attributes) {
    return new OnnxWriter(opset)
        .input("x", FLOAT, "rows", "2")
        .node("it", op, List.of("x"), List.of("y"), attributes)
        .output("y");
  }

  @Test
  void unsupportedOpsAttributesTypesAndOpsetsAreNamed() {
    assertThat(error(one(13, "Sin")))
        .startsWith(
            "Cannot import node it of FILE: op Sin at opset 13 is not supported; supported are Add,");
    assertThat(error(one(13, "Gelu")))
        .isEqualTo(
            "Cannot import node it of FILE: op Gelu is of opset 20 and newer, but the model is of"
                + " opset 13");
    assertThat(error(one(13, "Relu", attribute("alpha", 1f))))
        .isEqualTo(
            "Cannot import node it of FILE: op Relu at opset 13: attribute alpha is not supported");
    assertThat(error(one(20, "Gelu", attribute("approximate", "fast"))))
        .endsWith("attribute approximate fast is not supported; supported are none and tanh");
    assertThat(error(one(8, "Relu")))
        .isEqualTo("Cannot load ONNX model FILE: it is of opset 8; supported are 9 to 21");
    assertThat(error(one(13, "Cast", attribute("to", 11))))
        .isEqualTo(
            "Cannot import node it, op Cast: element type 11 (DOUBLE) is not supported; supported"
                + " are FLOAT, INT64, INT32, INT8, UINT8 and BOOL");
    assertThat(error(new OnnxWriter(13).input("x", 10, "2").output("x")))
        .startsWith("Cannot import input x of FILE: element type 10 (FLOAT16) is not supported");
    assertThat(error(one(13, "Transpose", attribute("perm", new long[] {0, 0}))))
        .startsWith("Cannot import node it of FILE: op Transpose at opset 13: Cannot add node it,")
        .endsWith("[0, 0] is not a permutation of the axes of [rows, 2]");
    assertThat(error(one(13, "MatMul"))).endsWith("op MatMul at opset 13: operand 1 is missing");
  }

  @Test
  void shapesComputedAtRunTimeAreNamed() {
    assertThat(
            error(
                new OnnxWriter(13)
                    .input("x", FLOAT, "rows", "2")
                    .input("shape", INT64, "2")
                    .node("it", "Reshape", List.of("x", "shape"), List.of("y"))
                    .output("y")))
        .endsWith("operand 1 (shape) must be known when loading, but it is computed at run time");
  }

  @Test
  void brokenGraphsAreNamed() {
    assertThat(error(new OnnxWriter(13).input("x", FLOAT, "2").output("y")))
        .isEqualTo("Cannot import FILE: output y is computed by no node");
    assertThat(error(new OnnxWriter(13).node("it", "Relu", List.of("x"), List.of("y")).output("y")))
        .endsWith("operand x is not defined before it");
    assertThat(error(one(13, "Relu").node("again", "Relu", List.of("x"), List.of("y"))))
        .endsWith("its output y is defined twice");
    assertThat(error(small().initializer(header("huge", FLOAT, 1L << 40, 1L << 40))))
        .endsWith("its dims [1099511627776, 1099511627776] are too large");
    assertThat(error(small().initializer(header("negative", FLOAT, -1))))
        .endsWith("its dims [-1] are not valid");
    assertThat(error(small().initializer(header("empty", FLOAT, 4))))
        .endsWith("its dims [4] need other than the 0 elements given");
  }

  @Test
  void missingAndEmptyFilesAreNamed() throws IOException {
    Path missing = folder.resolve("missing.onnx");
    assertThatThrownBy(() -> OnnxLoader.load(missing))
        .hasMessage("Cannot load ONNX model " + missing + ": there is no such file");
    Path empty = Files.createFile(folder.resolve("empty.onnx"));
    assertThatThrownBy(() -> OnnxLoader.load(empty))
        .hasMessage("Cannot read " + empty + ": the file is empty");
    Path other = Files.writeString(folder.resolve("text.onnx"), "version https://git-lfs");
    assertThatThrownBy(() -> OnnxLoader.load(other)).isInstanceOf(OnnxException.class);
  }

  @Test
  void aTruncatedFileIsOneError() throws IOException {
    byte[] bytes = small().bytes();
    for (int length = 0; length < bytes.length; length++) {
      Path file = Files.write(folder.resolve("cut.onnx"), java.util.Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> OnnxLoader.load(file))
          .isInstanceOf(OnnxException.class)
          .hasMessageContaining("cut.onnx");
    }
  }

  @Test
  void mutatedFilesGiveAGraphOrOneError() throws IOException {
    byte[] bytes = small().bytes();
    Random random = new Random(11);
    int refused = 0;
    for (int i = 0; i < 800; i++) {
      byte[] mutated = bytes.clone();
      for (int change = 0; change <= random.nextInt(4); change++) {
        mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
      }
      Path file = Files.write(folder.resolve("mutated.onnx"), mutated);
      try {
        assertThat(OnnxLoader.load(file).outputs()).isNotNull();
      } catch (OnnxException e) {
        assertThat(e).hasMessageStartingWith("Cannot ");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(400);
  }

  @Test
  void randomFilesAreOneError() throws IOException {
    Random random = new Random(12);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[1 + random.nextInt(300)];
      random.nextBytes(bytes);
      Path file = Files.write(folder.resolve("random.onnx"), bytes);
      assertThatThrownBy(() -> OnnxLoader.load(file)).isInstanceOf(OnnxException.class);
    }
  }
}
