/**
 * Measures the bridge against plain Kafka on this machine. {@link
 * io.delaybridge.bench.speed.Options} says what and how; each experiment is a class that drives
 * {@code lab} and puts its findings into a report of {@code figures}.
 */
@NullMarked
package io.delaybridge.bench.speed;

import org.jspecify.annotations.NullMarked;
