/** The parts of the bridge that run once for each message, under JMH. */
@NullMarked
package io.delaybridge.bench.speed.micro;

import org.jspecify.annotations.NullMarked;
