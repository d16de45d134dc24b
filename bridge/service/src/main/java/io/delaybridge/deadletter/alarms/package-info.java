/**
 * {@link io.delaybridge.deadletter.alarms.Alarm} tells somebody when a reason becomes frequent:
 * once for all instances.
 */
@NullMarked
package io.delaybridge.deadletter.alarms;

import org.jspecify.annotations.NullMarked;
