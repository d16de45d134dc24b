/**
 * Benchmarks of the bridge against plain Kafka on this machine. {@link
 * io.delaybridge.bench.speed.Options} has the settings. Each experiment is a class that uses {@code
 * lab} and puts its findings into a report of {@code figures}.
 */
@NullMarked
package io.delaybridge.bench.speed;

import org.jspecify.annotations.NullMarked;
