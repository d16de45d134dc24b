/**
 * Where pending messages are kept: the port, and in {@code redis} the one that runs in production.
 * The store is an index of the intake that can be rebuilt from it at any moment; nothing here knows
 * how a message came in or how it goes out.
 */
@NullMarked
package io.delaybridge.store;

import org.jspecify.annotations.NullMarked;
