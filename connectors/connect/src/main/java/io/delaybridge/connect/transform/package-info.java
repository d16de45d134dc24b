/** The parts of a record that the delay transform reads: their places, units and meanings. */
@NullMarked
package io.delaybridge.connect.transform;

import org.jspecify.annotations.NullMarked;
