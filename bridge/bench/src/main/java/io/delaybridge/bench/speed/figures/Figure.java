package io.delaybridge.bench.speed.figures;

import org.jspecify.annotations.Nullable;

/**
 * One line of a report.
 *
 * @param group the subject, as in "100 B, exactly once"
 * @param name as in "drain ÷ pass-through"
 * @param unit as in "msg/s"; empty for a ratio
 * @param goal null if there is none
 */
public record Figure(String group, String name, String unit, Spread spread, @Nullable Goal goal) {}
