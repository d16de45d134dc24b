/** The health checks and the liveness probe of this process. */
@NullMarked
package io.delaybridge.admin.health;

import org.jspecify.annotations.NullMarked;
