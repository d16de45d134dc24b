/**
 * The configuration file as records. Each record is validated when it is built. A failure names the
 * key, the value and what is allowed, and the bridge does not start.
 */
@NullMarked
package io.delaybridge.config;

import org.jspecify.annotations.NullMarked;
