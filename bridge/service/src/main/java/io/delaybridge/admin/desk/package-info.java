/**
 * Finds pending messages, far ones too, and asks the owners of their shards to act on them.
 * Failures of the store and of Kafka become problems here.
 */
@NullMarked
package io.delaybridge.admin.desk;

import org.jspecify.annotations.NullMarked;
