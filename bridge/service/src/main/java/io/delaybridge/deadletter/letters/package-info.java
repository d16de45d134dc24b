/** A dead letter in the index, and its content, which is read when somebody asks. */
@NullMarked
package io.delaybridge.deadletter.letters;

import org.jspecify.annotations.NullMarked;
