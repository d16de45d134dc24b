/**
 * One HTTP callback: may this URL be called ({@link io.delaybridge.connect.http.UrlRules}), may
 * this address be connected to ({@link io.delaybridge.connect.http.AddressGuard}), what came of it
 * ({@link io.delaybridge.connect.http.Outcome}). Knows nothing of Kafka.
 */
@NullMarked
package io.delaybridge.connect.http;

import org.jspecify.annotations.NullMarked;
