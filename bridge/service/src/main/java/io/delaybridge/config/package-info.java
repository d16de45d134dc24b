/**
 * The configuration file as records. Each is validated when it is built: a fault names the key, the
 * value and what is allowed, and the bridge does not start.
 */
@NullMarked
package io.delaybridge.config;

import org.jspecify.annotations.NullMarked;
