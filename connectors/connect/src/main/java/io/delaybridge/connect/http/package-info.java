/**
 * One HTTP callback: the check of its URL ({@link io.delaybridge.connect.http.UrlRules}), the check
 * of its address ({@link io.delaybridge.connect.http.AddressGuard}), and its outcome ({@link
 * io.delaybridge.connect.http.Outcome}). Independent of Kafka.
 */
@NullMarked
package io.delaybridge.connect.http;

import org.jspecify.annotations.NullMarked;
