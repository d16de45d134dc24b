/** Applications with the starter, on a real broker with a real bridge. */
@NullMarked
package io.delaybridge.spring.it;

import org.jspecify.annotations.NullMarked;
