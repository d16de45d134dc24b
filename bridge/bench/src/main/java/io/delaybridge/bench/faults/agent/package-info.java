/**
 * What runs inside a bridge to break it from within: an agent that ends the process at a named
 * place of the product's code, and shifts the clock that due times go by. The product has no hook
 * for it. Needs nothing but the JDK and Byte Buddy.
 */
@NullMarked
package io.delaybridge.bench.faults.agent;

import org.jspecify.annotations.NullMarked;
