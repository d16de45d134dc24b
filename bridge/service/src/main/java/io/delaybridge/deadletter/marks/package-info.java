/** What was done about dead letters, as the marks topic says it. */
@NullMarked
package io.delaybridge.deadletter.marks;

import org.jspecify.annotations.NullMarked;
