package dev.caldera.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.text.TokenBatch;
import dev.caldera.text.Tokenizer;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnnxRuntimeOracleTest {

  @Test
  void findsAlikeWhatMeansAlike() {
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 256);
        OnnxRuntimeOracle oracle = OnnxRuntimeOracle.open(MiniLm.onnx(), 1)) {
      TokenBatch tokens =
          tokenizer.encode(
              List.of("The battery is empty again", "It has to be charged daily", "Warm socks"));

      float[][] vectors = oracle.embed(tokens);

      assertThat(vectors).hasDimensions(3, 384);
      assertThat(OnnxRuntimeOracle.cosine(vectors[0], vectors[0])).isEqualTo(1);
      assertThat(OnnxRuntimeOracle.cosine(vectors[0], vectors[1]))
          .isGreaterThan(0.1 + OnnxRuntimeOracle.cosine(vectors[0], vectors[2]));
    }
  }

  @Test
  void readsTheReviewsWithTheirQuotesAndNewlines() {
    assertThat(Reviews.parse("id,text\n1,\"a \"\"b\"\",\nc\"\n2,\n"))
        .containsExactly(List.of("id", "text"), List.of("1", "a \"b\",\nc"), List.of("2", ""));
    assertThat(Reviews.texts()).hasSize(300).contains("").anyMatch(text -> text.contains("\n"));
  }
}
