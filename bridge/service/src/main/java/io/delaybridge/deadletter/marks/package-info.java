/** The marks of dead letters that were replayed or handled, and the records of the marks topic. */
@NullMarked
package io.delaybridge.deadletter.marks;

import org.jspecify.annotations.NullMarked;
