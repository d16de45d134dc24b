/**
 * Messages that repeat: the calendar of a rule, and how far a message has come in it. Values and
 * pure functions; knows nothing of Kafka or Redis.
 */
@NullMarked
package io.delaybridge.repeat;

import org.jspecify.annotations.NullMarked;
