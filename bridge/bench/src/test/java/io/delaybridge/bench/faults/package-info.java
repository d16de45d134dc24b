@NullMarked
package io.delaybridge.bench.faults;

import org.jspecify.annotations.NullMarked;
