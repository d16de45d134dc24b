/** The metrics that Prometheus reads. */
@NullMarked
package io.delaybridge.admin.metrics;

import org.jspecify.annotations.NullMarked;
