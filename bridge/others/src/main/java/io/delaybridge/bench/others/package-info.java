/**
 * Other systems with delayed delivery. Each one is a separate program that measures scheduling,
 * draining and lateness, then prints {@code RESULT name=value ...}.
 */
@NullMarked
package io.delaybridge.bench.others;

import org.jspecify.annotations.NullMarked;
