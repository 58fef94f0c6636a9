package dev.caldera.bench;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import dev.caldera.engine.Encoder;
import dev.caldera.engine.EncoderOptions;
import dev.caldera.engine.Engine;
import dev.caldera.engine.EngineOptions;
import dev.caldera.model.ModelFolder;
import dev.caldera.testing.MiniLm;
import dev.caldera.text.TokenBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What 1,000 texts cost on a device: MiniLM through the engine, tokens ready. Device time is what
 * the engine counts for the batches, elapsed time is from hand-over to the last vector.
 *
 * <pre>{@code
 * mvn -q -B -pl gpu-runtime -am test-compile dependency:build-classpath \
 *     -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=test
 * cd gpu-runtime && java --add-modules jdk.incubator.vector -Xmx2g \
 *     -cp target/classes:target/test-classes:$(cat target/bench.classpath) \
 *     dev.caldera.bench.DeviceTime <file of texts, one a line> <device> [rounds]
 * }</pre>
 */
public final class DeviceTime {
  private static final int TEXTS = 1000;

  private DeviceTime() {}

  /** Arguments: file of texts, device as in {@code spark.caldera.device}, rounds. */
  public static void main(String[] arguments) throws Exception {
    List<String> texts =
        Files.readAllLines(Path.of(arguments[0])).stream()
            .filter(text -> !text.isBlank())
            .limit(TEXTS)
            .toList();
    int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 10;
    Devices.Selection selection = Devices.discover().select(arguments[1]);
    try (Device device = selection.open(DeviceOptions.defaults());
        Engine engine = Engine.open(device, EngineOptions.defaults());
        Encoder encoder =
            engine.encoder(ModelFolder.open(MiniLm.folder()), EncoderOptions.defaults())) {
      System.out.println(selection);
      System.out.println(encoder.facts().planSummary());
      measure(encoder, encoder.tokenize(texts), rounds);
    }
  }

  private static void measure(Encoder encoder, TokenBatch tokens, int rounds) throws Exception {
    double[] onDevice = new double[rounds];
    double[] elapsed = new double[rounds];
    int batches = 0;
    encoder.embed(tokens).get();
    for (int round = 0; round < rounds; round++) {
      long start = System.nanoTime();
      Encoder.Embeddings embeddings = encoder.embed(tokens).get();
      elapsed[round] = (System.nanoTime() - start) * 1e-6;
      onDevice[round] = embeddings.deviceNanos() * 1e-6;
      batches = embeddings.batches();
    }
    Arrays.sort(onDevice);
    Arrays.sort(elapsed);
    double middle = elapsed[rounds / 2];
    System.out.printf(
        Locale.ROOT,
        "%,d texts, %,d tokens, %d batches; median [least, most] of %d rounds%n"
            + "device time %.1f [%.1f, %.1f] ms%nelapsed time %.1f [%.1f, %.1f] ms:"
            + " %,.0f texts and %,.0f tokens a second%n",
        tokens.texts(),
        tokens.tokens(),
        batches,
        rounds,
        onDevice[rounds / 2],
        onDevice[0],
        onDevice[rounds - 1],
        middle,
        elapsed[0],
        elapsed[rounds - 1],
        tokens.texts() / middle * 1e3,
        tokens.tokens() / middle * 1e3);
  }
}
