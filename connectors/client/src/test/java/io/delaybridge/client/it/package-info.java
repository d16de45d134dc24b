/** The library against a real broker and a running bridge. */
@NullMarked
package io.delaybridge.client.it;

import org.jspecify.annotations.NullMarked;
