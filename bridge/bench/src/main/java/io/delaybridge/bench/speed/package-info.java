/** Figures: how fast and how late the bridge is, as ratios to plain Kafka on the same machine. */
@NullMarked
package io.delaybridge.bench.speed;

import org.jspecify.annotations.NullMarked;
