/**
 * {@link io.delaybridge.deadletter.index.DeadLetterIndex} reads all dead letters and marks into
 * memory, on every instance, and {@link io.delaybridge.deadletter.index.Catalog} answers questions
 * about them.
 */
@NullMarked
package io.delaybridge.deadletter.index;

import org.jspecify.annotations.NullMarked;
