/** Figures and their presentation: spread, ratios, goals, tables. Independent of processes. */
@NullMarked
package io.delaybridge.bench.speed.figures;

import org.jspecify.annotations.NullMarked;
