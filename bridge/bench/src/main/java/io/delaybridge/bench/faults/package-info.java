/**
 * Faults on real processes: a load whose every message is accounted for, something that dies or
 * lies meanwhile, and a checker that compares what came out with what went in.
 */
@NullMarked
package io.delaybridge.bench.faults;

import org.jspecify.annotations.NullMarked;
