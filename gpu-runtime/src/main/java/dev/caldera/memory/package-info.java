/**
 * Device memory over a small device interface: arena, weight pool, staging pool.
 *
 * <pre>{@code
 * // reserve: once a device, for the largest bucket
 * StagingPool staging = new StagingPool(device, 256 << 20);
 * WeightPool weights = WeightPool.copied(device, staging, budgetBytes);
 * Arena arena = Arena.reserve(device, plans.largest().memory());
 *
 * // weights: uploaded by the first who opens them, shared by all
 * ExecutionPlan plan = plans.plan(sizes);
 * WeightPool.Lease lease = weights.open(plan);
 * Program program = device.compile(plan, lease);
 *
 * // run: uploads, kernels and readbacks in one submission, and one wait
 * try (Arena.Hold hold = arena.hold(plan.memory());
 *     KernelCommands commands = device.begin();
 *     Transfer transfer = staging.transfer(commands)) {
 *   SlotTransfers slots = new SlotTransfers(arena, transfer);
 *   slots.upload(plan.input("tokenIds"), ids, 0, tokens);
 *   commands.run(program, arena, sizes);
 *   Readback vectors = slots.readback(plan.output("embeddings"), sizes);
 *   transfer.submit().await();
 *   vectors.floats(result, 0);
 * }
 *
 * // give back, in any order, then the device
 * program.close();
 * lease.close();
 * arena.close();
 * weights.close();
 * staging.close();
 * }</pre>
 *
 * <p>A slot's capacity is the plan's, its actual length a run's: a range that is longer than its
 * slot is an error before anything is recorded. Rows are copied inside the arena and to another one
 * by {@link dev.caldera.memory.Arena#copy}, {@link dev.caldera.memory.Arena#copyPrefix} and {@link
 * dev.caldera.memory.Arena#copyToTwin}; the scratch zone is {@code
 * arena.range(plan.memory().scratch())}.
 */
@NullMarked
package dev.caldera.memory;

import org.jspecify.annotations.NullMarked;
