package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharesTest {

  @Test
  void cutsARoundIntoEqualSharesAMultipleOfTheWorkers() {
    assertThat(round(new Shares(512, 2), 1024)).containsExactly(512, 512);
    assertThat(round(new Shares(512, 2), 1200)).containsExactly(300, 300, 300, 300);
    assertThat(round(new Shares(512, 2), 600)).containsExactly(300, 300);
    assertThat(round(new Shares(512, 1), 1200)).containsExactly(400, 400, 400);
    assertThat(round(new Shares(512, 4), 5000)).hasSize(12).allMatch(n -> n == 416 || n == 417);
  }

  @Test
  void doesNotCutTinyBatchesForIdleWorkers() {
    assertThat(round(new Shares(512, 2), 5)).containsExactly(5);
    assertThat(round(new Shares(512, 2), 255)).containsExactly(255);
    assertThat(round(new Shares(512, 2), 256)).containsExactly(128, 128);
    assertThat(round(new Shares(512, 8), 512)).containsExactly(128, 128, 128, 128);
  }

  @Test
  void cutsAnewWhenMoreArrives() {
    Shares shares = new Shares(512, 2);
    assertThat(shares.next(1024)).isEqualTo(512);
    assertThat(shares.next(512 + 1024)).isEqualTo(384);
    assertThat(shares.next(1152)).isEqualTo(384);
    assertThat(shares.next(768)).isEqualTo(384);
    assertThat(shares.next(384)).isEqualTo(384);
  }

  @Test
  void doesNotCutTheRestOfARoundThatWasDropped() {
    Shares shares = new Shares(512, 2);
    assertThat(shares.next(2048)).isEqualTo(512);
    assertThat(shares.next(10)).isEqualTo(10);
  }

  private static List<Integer> round(Shares shares, int waiting) {
    List<Integer> cut = new ArrayList<>();
    for (int left = waiting; left > 0; ) {
      int share = shares.next(left);
      cut.add(share);
      left -= share;
    }
    return cut;
  }
}
