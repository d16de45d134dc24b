/** Compares the documents under {@code docs/} and {@code docker/} with the code. */
@NullMarked
package io.delaybridge.docs;

import org.jspecify.annotations.NullMarked;
