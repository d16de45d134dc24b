/** Counters of all instances: since they started, and over the last hour. */
@NullMarked
package io.delaybridge.admin.history;

import org.jspecify.annotations.NullMarked;
