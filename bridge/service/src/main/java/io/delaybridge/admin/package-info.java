/** What operators see: health checks, metrics, the HTTP resources. */
@NullMarked
package io.delaybridge.admin;

import org.jspecify.annotations.NullMarked;
