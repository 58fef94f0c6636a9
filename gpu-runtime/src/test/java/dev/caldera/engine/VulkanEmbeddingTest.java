package dev.caldera.engine;

import dev.caldera.backend.Device;
import dev.caldera.testing.Reviews;
import dev.caldera.testing.VulkanTesting;
import java.util.List;

/**
 * Embeddings on the Vulkan test device: sixty reviews, and twenty shorter ones for the bits; a
 * software device takes its time.
 */
class VulkanEmbeddingTest extends EmbeddingContract {
  @Override
  Device openDevice() {
    return VulkanTesting.open();
  }

  @Override
  List<String> compared() {
    return reviewsUpTo(120, 60);
  }

  @Override
  List<String> repeated() {
    return reviewsUpTo(60, 20);
  }

  private static List<String> reviewsUpTo(int characters, int count) {
    List<String> texts =
        Reviews.texts().stream().filter(text -> text.length() <= characters).limit(count).toList();
    if (texts.size() < count) {
      throw new IllegalStateException(
          "Cannot find " + count + " reviews of up to " + characters + " characters");
    }
    return texts;
  }
}
