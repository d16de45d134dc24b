/** What says that this process is well, or that it has to be replaced. */
@NullMarked
package io.delaybridge.admin.health;

import org.jspecify.annotations.NullMarked;
