package dev.caldera.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.plan.WeightKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The weight pool beside a simple model of what it must hold, over random use. */
class WeightPoolPolicyTest {
  private static final int CAPACITY = 8;

  @Test
  void itHoldsWhatTheModelHolds() throws Exception {
    for (int seed = 0; seed < 60; seed++) {
      HostMemoryDevice device = HostMemoryDevice.open();
      try (StagingPool staging = new StagingPool(device, 1 << 20);
          WeightPool pool = WeightPool.copied(device, staging, CAPACITY * 1280)) {
        Random random = new Random(seed);
        Model model = new Model();
        List<WeightPool.Lease> leases = new ArrayList<>();
        List<Set<WeightKey>> leased = new ArrayList<>();
        long step = pool.nextStep();
        for (int turn = 0; turn < 100; turn++) {
          if (!leases.isEmpty() && random.nextInt(3) > 0) {
            int which = random.nextInt(leases.size());
            leases.remove(which).close();
            model.release(leased.remove(which));
          } else {
            step = random.nextInt(3) == 0 ? step : pool.nextStep();
            List<WeightRecord> records = randomRecords(random);
            boolean fits = model.acquire(records, step);
            Optional<WeightPool.Lease> lease = open(pool, records, step);
            assertThat(lease.isPresent()).as("seed %d, turn %d", seed, turn).isEqualTo(fits);
            lease.ifPresent(leases::add);
            lease.ifPresent(any -> leased.add(keys(records)));
          }
          model.check("seed " + seed + ", turn " + turn, pool);
          assertThat(device.counters().liveBytes() - staging.bytes())
              .isLessThanOrEqualTo(CAPACITY * 1280);
        }
        leases.forEach(WeightPool.Lease::close);
      }
      device.close();
    }
  }

  private static Optional<WeightPool.Lease> open(
      WeightPool pool, List<WeightRecord> records, long step) throws InterruptedException {
    try {
      WeightPool.Acquisition acquisition = pool.acquire(records, step);
      pool.load(pool.planReads(acquisition));
      return Optional.of(pool.finish(acquisition));
    } catch (OutOfDeviceMemoryException full) {
      return Optional.empty();
    }
  }

  private static List<WeightRecord> randomRecords(Random random) {
    String name = String.valueOf((char) ('a' + random.nextInt(3)));
    int first = random.nextInt(4);
    List<WeightRecord> model = WeightPoolContract.model(name, 7);
    return model.subList(first, first + 1 + random.nextInt(3));
  }

  private static Set<WeightKey> keys(List<WeightRecord> records) {
    return records.stream().map(WeightRecord::key).collect(Collectors.toSet());
  }

  /** Records by key in order of arrival, each with its uses and its last step. */
  private static final class Model {
    private final Map<WeightKey, Use> present = new LinkedHashMap<>();

    private static final class Use {
      int uses;
      long lastStep;
    }

    boolean acquire(List<WeightRecord> records, long step) {
      Set<WeightKey> wanted = keys(records);
      wanted.stream().filter(present::containsKey).forEach(key -> touch(key, step));
      long absent = wanted.stream().filter(key -> !present.containsKey(key)).count();
      long staying = present.values().stream().filter(use -> !evictable(use, step)).count();
      if (absent > 0 && staying + absent > CAPACITY) {
        wanted.stream().filter(present::containsKey).forEach(key -> use(key).uses--);
        return false;
      }
      while (present.size() + absent > CAPACITY) {
        present.remove(
            present.entrySet().stream()
                .filter(entry -> evictable(entry.getValue(), step))
                .min(Comparator.comparingLong(entry -> entry.getValue().lastStep))
                .orElseThrow()
                .getKey());
      }
      for (WeightRecord record : records) {
        if (!present.containsKey(record.key())) {
          present.put(record.key(), new Use());
          touch(record.key(), step);
        }
      }
      return true;
    }

    void release(Set<WeightKey> keys) {
      keys.forEach(key -> use(key).uses--);
    }

    void check(String name, WeightPool pool) {
      for (char letter = 'a'; letter <= 'c'; letter++) {
        for (int i = 0; i < 7; i++) {
          WeightKey key = WeightPoolContract.key(String.valueOf(letter), i);
          assertThat(pool.holds(key)).as("%s: %s", name, key).isEqualTo(present.containsKey(key));
        }
      }
    }

    private void touch(WeightKey key, long step) {
      use(key).uses++;
      use(key).lastStep = Math.max(use(key).lastStep, step);
    }

    private Use use(WeightKey key) {
      return Optional.ofNullable(present.get(key)).orElseThrow();
    }

    private static boolean evictable(Use use, long step) {
      return use.uses == 0 && use.lastStep != step;
    }
  }
}
