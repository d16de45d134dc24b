/** Figures and what is made of them: spread, ratios, goals, tables. Knows nothing of processes. */
@NullMarked
package io.delaybridge.bench.speed.figures;

import org.jspecify.annotations.NullMarked;
