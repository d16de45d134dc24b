/**
 * Others that deliver later, each a program of its own: it schedules, drains and measures lateness,
 * then prints {@code RESULT name=value ...}.
 */
@NullMarked
package io.delaybridge.bench.others;

import org.jspecify.annotations.NullMarked;
