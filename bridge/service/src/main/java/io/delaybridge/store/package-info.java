/**
 * The store of pending messages: the port, and in {@code redis} the implementation that runs in
 * production. The store is an index of the intake and can be rebuilt from it at any moment. Nothing
 * here knows how a message came in or how it goes out.
 */
@NullMarked
package io.delaybridge.store;

import org.jspecify.annotations.NullMarked;
