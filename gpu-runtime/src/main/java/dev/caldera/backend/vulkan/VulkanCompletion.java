package dev.caldera.backend.vulkan;

import dev.caldera.memory.Completion;

/** A submission on the device's queue. */
final class VulkanCompletion implements Completion {
  private final VulkanContext context;
  private final SubmissionQueue queue;
  private final Recording recording;
  private final long number;
  private final long submittedAt = System.nanoTime();

  private volatile boolean done;
  private long deviceNanos;

  VulkanCompletion(VulkanContext context, SubmissionQueue queue, Recording recording, long number) {
    this.context = context;
    this.queue = queue;
    this.recording = recording;
    this.number = number;
  }

  /** Its number on the queue. */
  long number() {
    return number;
  }

  /** What it ran; not to be reused before {@link #finish}. */
  Recording recording() {
    return recording;
  }

  @Override
  public void await() throws InterruptedException {
    if (!done) {
      queue.await(number);
      finish();
    }
  }

  @Override
  public boolean isDone() {
    if (!done && queue.completed() >= number) {
      finish();
    }
    return done;
  }

  /** Reads the time it took; called when the submission has run, again or not. */
  void finish() {
    if (done) {
      return;
    }
    try (VulkanContext.Use use = context.enter()) {
      readTime();
    }
  }

  private synchronized void readTime() {
    if (!done) {
      long measured = recording.deviceNanos();
      deviceNanos = measured >= 0 ? measured : System.nanoTime() - submittedAt;
      done = true;
    }
  }

  /** By the device's timestamps; where its queue has none, from hand-over to the first look. */
  @Override
  public long deviceNanos() {
    if (!isDone()) {
      throw new IllegalStateException(
          "Cannot tell the time of submission "
              + number
              + " on "
              + context.name()
              + ": it is still running");
    }
    return deviceNanos;
  }
}
