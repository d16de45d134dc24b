@NullMarked
package io.delaybridge.peers;

import org.jspecify.annotations.NullMarked;
