package dev.caldera.backend.vulkan;

import java.nio.ByteBuffer;

/** What becomes of a step's dispatches: they are recorded, or only checked. */
interface DispatchSink {
  /** Forgets all: for a check of limits alone. */
  DispatchSink NONE =
      new DispatchSink() {
        @Override
        public void dispatch(Pipeline pipeline, ByteBuffer constants, int x, int y, int z) {}

        @Override
        public void barrier() {}
      };

  /** A dispatch with its push constants, within the device's limits. */
  void dispatch(Pipeline pipeline, ByteBuffer constants, int groupsX, int groupsY, int groupsZ);

  /** A barrier between two dispatches. */
  void barrier();
}
