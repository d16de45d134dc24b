/** The bridge as a process, on a real Kafka and a real Redis. */
@NullMarked
package io.delaybridge.it;

import org.jspecify.annotations.NullMarked;
