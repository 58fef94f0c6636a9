package dev.caldera.plan;

/**
 * Names a record of the weight pool.
 *
 * @param model identity of the model's content (path and revision), so that two models never mix
 * @param tensor the constant's name in the model's graph
 * @param layout how it is prepacked
 */
public record WeightKey(String model, String tensor, Layout layout) {}
