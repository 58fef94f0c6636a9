package dev.caldera.backend.vulkan;

/**
 * A compute pipeline; its device owns it.
 *
 * @param handle the VkPipeline; 0 where nothing is really dispatched
 * @param shader name of its shader
 * @param pushBytes bytes of the shader's push constant block
 */
record Pipeline(long handle, String shader, int pushBytes) {}
