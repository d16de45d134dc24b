/** The limits of intakes, and the rejection of messages beyond them. */
@NullMarked
package io.delaybridge.admin.limits;

import org.jspecify.annotations.NullMarked;
