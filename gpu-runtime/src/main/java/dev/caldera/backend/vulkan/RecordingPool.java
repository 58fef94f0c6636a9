package dev.caldera.backend.vulkan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The recordings of a device: made when none is free, reused once their submission has run, so that
 * a steady stream of submissions makes none.
 */
final class RecordingPool {
  private final VulkanContext context;
  private final SubmissionQueue queue;
  private final long pipelineLayout;
  private final List<Recording> all = new ArrayList<>();
  private final Deque<Recording> free = new ArrayDeque<>();
  private final Deque<VulkanCompletion> running = new ArrayDeque<>();

  RecordingPool(VulkanContext context, SubmissionQueue queue, long pipelineLayout) {
    this.context = context;
    this.queue = queue;
    this.pipelineLayout = pipelineLayout;
  }

  /** A recording for the caller's own use, until it is given back or submitted. */
  synchronized Recording take() {
    reclaim(queue.completed());
    Recording recording = free.poll();
    if (recording == null) {
      recording = new Recording(context, pipelineLayout);
      all.add(recording);
    }
    return recording;
  }

  /** Gives back a recording that was not submitted. */
  synchronized void giveBack(Recording recording) {
    free.push(recording);
  }

  /** Takes back a submitted recording once its submission has run. */
  synchronized void submitted(VulkanCompletion completion) {
    running.add(completion);
  }

  private void reclaim(long completed) {
    running.removeIf(
        completion -> {
          boolean done = completion.number() <= completed;
          if (done) {
            completion.finish();
            free.push(completion.recording());
          }
          return done;
        });
  }

  /** Recordings made since the device was opened. */
  synchronized int made() {
    return all.size();
  }

  /** Notes the end of all submissions, so that their waiters need the device no more. */
  synchronized void finishAll() {
    running.forEach(VulkanCompletion::finish);
  }

  /** Frees all of them; inside {@link VulkanContext#destroy}. */
  synchronized void destroy() {
    all.forEach(Recording::destroy);
    all.clear();
    free.clear();
    running.clear();
  }
}
