/** Holds what is written under {@code docs/} and {@code docker/} to what is there. */
@NullMarked
package io.delaybridge.docs;

import org.jspecify.annotations.NullMarked;
