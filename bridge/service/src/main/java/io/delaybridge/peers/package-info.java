/** Notices when another process of the group has died, and ensures that the group goes on. */
@NullMarked
package io.delaybridge.peers;

import org.jspecify.annotations.NullMarked;
