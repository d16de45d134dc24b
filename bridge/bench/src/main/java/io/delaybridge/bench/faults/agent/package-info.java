/**
 * The agent that injects faults inside a bridge. It ends the process at a named place in the
 * product's code, and it shifts the clock that determines due times. The product has no hook for
 * it. The agent needs only the JDK and Byte Buddy.
 */
@NullMarked
package io.delaybridge.bench.faults.agent;

import org.jspecify.annotations.NullMarked;
