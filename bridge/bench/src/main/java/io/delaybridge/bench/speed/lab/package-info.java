/**
 * What is measured and what measures it: the broker, Redis, the bridge and the pass-through as
 * processes; a loader that fills intakes and a tail that reads what arrived.
 */
@NullMarked
package io.delaybridge.bench.speed.lab;

import org.jspecify.annotations.NullMarked;
