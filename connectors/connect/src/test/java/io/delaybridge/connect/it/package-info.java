/** The plugins in a real Connect worker, with a real bridge, Kafka, Redis and HTTP server. */
@NullMarked
package io.delaybridge.connect.it;

import org.jspecify.annotations.NullMarked;
