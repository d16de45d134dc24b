/** Notices when another process of the group has died, and sees to it that the group goes on. */
@NullMarked
package io.delaybridge.peers;

import org.jspecify.annotations.NullMarked;
