package dev.caldera.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.testing.MiniLm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerTest {
  private static final int CLS = 101;
  private static final int SEP = 102;
  private static final int UNKNOWN = 100;

  @TempDir Path folder;

  @Test
  void encodesTextsOneAfterAnotherWithSpecialTokens() {
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 256)) {
      TokenBatch batch = tokenizer.encode(List.of("a good book", "", "A Good Book!"));
      assertThat(batch.starts()).containsExactly(0, 5, 7, 13);
      assertThat(Arrays.copyOf(batch.ids(), batch.tokens()))
          .containsExactly(CLS, 1037, 2204, 2338, SEP, CLS, SEP, CLS, 1037, 2204, 2338, 999, SEP);
      assertThat(batch.truncated()).isZero();
      assertThat(tokenizer.maxTokens()).isEqualTo(256);
    }
  }

  @Test
  void encodesNoTexts() {
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 256)) {
      assertThat(tokenizer.encode(List.of()).texts()).isZero();
    }
  }

  @Test
  void cutsAtTheLimitAndCountsWhatItCut() {
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 5)) {
      TokenBatch batch = tokenizer.encode(List.of("a b c", "a b c d", "a", "a b c d e f g h"));
      assertThat(batch.truncated()).isEqualTo(2);
      assertThat(batch.starts()).containsExactly(0, 5, 10, 13, 18);
      assertThat(ids(batch, 1)).containsExactly(CLS, 1037, 1038, 1039, SEP);
    }
  }

  @Test
  void ignoresTheFilesOwnLimitAndPadding() throws IOException {
    assertThat(MiniLm.tokenizer()).content().contains("\"max_length\": 128", "\"Fixed\": 128");
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 300)) {
      TokenBatch batch = tokenizer.encode(List.of("word ".repeat(400), "word"));
      assertThat(batch.starts()).containsExactly(0, 300, 303);
      assertThat(batch.truncated()).isEqualTo(1);
    }
  }

  @Test
  void readsOnlyTheBeginningOfALongTextButFindsTheSameTokens() {
    String words = "the quick brown fox jumps over the lazy dog ";
    String late = " ".repeat(50_000) + "word";
    String unbroken = "x".repeat(60_000);
    String unbrokenThenWords = unbroken + " " + "end ".repeat(3);
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 256)) {
      TokenBatch batch =
          tokenizer.encode(
              List.of(words.repeat(20_000), words.repeat(100), late, unbroken, unbrokenThenWords));
      assertThat(ids(batch, 0)).isEqualTo(ids(batch, 1)).hasSize(256);
      assertThat(ids(batch, 2)).containsExactly(CLS, 2773, SEP);
      assertThat(ids(batch, 3)).containsExactly(CLS, UNKNOWN, SEP);
      assertThat(ids(batch, 4)).containsExactly(CLS, UNKNOWN, 2203, 2203, 2203, SEP);
      assertThat(batch.truncated()).isEqualTo(2);
    }
  }

  @Test
  void countsATextBeyondTheReadLimitAsTruncated() {
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 256)) {
      String text = "word " + " ".repeat(LibraryTokenizer.READ_LIMIT) + "word";
      TokenBatch batch = tokenizer.encode(List.of(text));
      assertThat(ids(batch, 0)).containsExactly(CLS, 2773, SEP);
      assertThat(batch.truncated()).isEqualTo(1);
    }
  }

  @Test
  void treatsALoneSurrogateAsAReplacementCharacterAndKeepsItsNeighbours() {
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 256)) {
      TokenBatch batch =
          tokenizer.encode(
              List.of("good \uD83D book \uD83D\uDE00", "good \uFFFD book \uD83D\uDE00", "\uDC00"));
      assertThat(ids(batch, 0)).isEqualTo(ids(batch, 1)).hasSize(5);
      assertThat(ids(batch, 2)).containsExactly(CLS, SEP);
    }
  }

  @Test
  void keepsControlCharactersAndOtherScriptsFromBreakingIt() {
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 64)) {
      TokenBatch batch =
          tokenizer.encode(List.of("\u0000", "a\u0000b", "\u200D\uFEFF", "これは本です", "🎉🎉"));
      assertThat(batch.texts()).isEqualTo(5);
      assertThat(ids(batch, 0)).containsExactly(CLS, SEP);
      assertThat(ids(batch, 1)).containsExactly(CLS, 11113, SEP);
    }
  }

  @Test
  void givesEachOfManyThreadsTheSameTokens() throws Exception {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      texts.add("review number " + i + " of a book");
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 256)) {
      TokenBatch expected = tokenizer.encode(texts);
      List<Future<TokenBatch>> found =
          threads.invokeAll(Collections.nCopies(8, () -> tokenizer.encode(texts)));
      for (Future<TokenBatch> batch : found) {
        assertThat(batch.get().starts()).isEqualTo(expected.starts());
        assertThat(Arrays.copyOf(batch.get().ids(), expected.tokens()))
            .isEqualTo(Arrays.copyOf(expected.ids(), expected.tokens()));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void refusesANullText() {
    try (Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 256)) {
      assertThatThrownBy(() -> tokenizer.encode(Collections.singletonList(null)))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("Cannot tokenize a text that is null");
    }
  }

  @Test
  void refusesToEncodeAfterClose() {
    Tokenizer tokenizer = Tokenizer.open(MiniLm.tokenizer(), 256);
    tokenizer.close();
    tokenizer.close();
    assertThatThrownBy(() -> tokenizer.encode(List.of("a")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot tokenize with " + MiniLm.tokenizer() + ": it is closed");
  }

  @Test
  void refusesALimitWithoutRoomForText() {
    for (int maxTokens : new int[] {2, 1, 0, -1}) {
      assertThatThrownBy(() -> Tokenizer.open(MiniLm.tokenizer(), maxTokens))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("with at most " + maxTokens + " tokens a text")
          .hasMessageContaining("so at least 3 are needed");
    }
  }

  @Test
  void namesAFileThatIsMissingOrNoTokenizer() throws IOException {
    Path missing = folder.resolve("tokenizer.json");
    assertThatThrownBy(() -> Tokenizer.open(missing, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot read tokenizer " + missing + ": there is no such file");
    Path other = Files.writeString(folder.resolve("other.json"), "{\"version\": \"1.0\"}");
    assertThatThrownBy(() -> Tokenizer.open(other, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot read tokenizer " + other + ": ")
        .hasMessageEndingWith("; a tokenizer.json is wanted");
    Path cut =
        Files.writeString(
            folder.resolve("cut.json"), Files.readString(MiniLm.tokenizer()).substring(0, 5000));
    assertThatThrownBy(() -> Tokenizer.open(cut, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot read tokenizer " + cut + ": EOF while parsing");
    Path binary = Files.write(folder.resolve("binary.json"), new byte[] {(byte) 0xFF, 0, 1});
    assertThatThrownBy(() -> Tokenizer.open(binary, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot read tokenizer " + binary + ": ");
  }

  private static int[] ids(TokenBatch batch, int text) {
    return Arrays.copyOfRange(batch.ids(), batch.starts()[text], batch.starts()[text + 1]);
  }
}
