/**
 * The application. It wires the parts together and holds no logic of its own. Data flows through
 * {@link io.delaybridge.intake}, {@link io.delaybridge.store} and {@link io.delaybridge.delivery},
 * driven by {@link io.delaybridge.shard}.
 */
@NullMarked
package io.delaybridge;

import org.jspecify.annotations.NullMarked;
