@NullMarked
package io.delaybridge.stack;

import org.jspecify.annotations.NullMarked;
