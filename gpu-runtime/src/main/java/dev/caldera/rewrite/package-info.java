/**
 * Graph rewrites, one class each: fold constants, fuse, pack, remove dead code.
 *
 * <p>A {@link dev.caldera.rewrite.Rewrite} works on a {@code GraphEdit}; {@link
 * dev.caldera.rewrite.Rewrites} runs several in order and logs what each did. To add one: write its
 * class, let it replace the last node of what it recognises, after checking constants, shapes and
 * that nothing else reads what lies between ({@code GraphEdit.isClosed}), and put it in {@code
 * Rewrites.fuse()} or {@code Rewrites.pack()}.
 */
@NullMarked
package dev.caldera.rewrite;

import org.jspecify.annotations.NullMarked;
