/**
 * The environment of the measurements: the broker, Redis, the bridge and the pass-through as
 * processes; a loader that fills intakes and a tail that reads the results.
 */
@NullMarked
package io.delaybridge.bench.speed.lab;

import org.jspecify.annotations.NullMarked;
