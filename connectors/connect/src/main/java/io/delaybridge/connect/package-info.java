/**
 * Kafka Connect plugins of the delay bridge. {@link io.delaybridge.connect.DelayTransform} gives
 * the records of a source connector the headers that the bridge reads. {@link
 * io.delaybridge.connect.CallbackSinkConnector} calls a URL for each record that the bridge has
 * delivered.
 */
@NullMarked
package io.delaybridge.connect;

import org.jspecify.annotations.NullMarked;
