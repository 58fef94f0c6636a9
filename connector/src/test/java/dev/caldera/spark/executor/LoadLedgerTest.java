package dev.caldera.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.engine.Encoder.ModelFacts;
import org.junit.jupiter.api.Test;

class LoadLedgerTest {
  private static ModelFacts facts(String revision, long uploads) {
    return new ModelFacts("m", revision, "d", 7, uploads, 0, "");
  }

  @Test
  void eachUploadIsCountedByOneTask() {
    LoadLedger ledger = new LoadLedger();
    assertThat(ledger.take(facts("a", 1))).isEqualTo(new LoadLedger.ModelLoads(1, 7));
    assertThat(ledger.take(facts("a", 1))).isEqualTo(new LoadLedger.ModelLoads(0, 0));
    assertThat(ledger.take(facts("b", 1))).isEqualTo(new LoadLedger.ModelLoads(1, 7));
    assertThat(ledger.take(facts("a", 2))).isEqualTo(new LoadLedger.ModelLoads(1, 7));
    assertThat(ledger.uploads()).isEqualTo(3);
  }
}
