/** How much an intake takes, and what becomes of a message that is too much. */
@NullMarked
package io.delaybridge.admin.limits;

import org.jspecify.annotations.NullMarked;
