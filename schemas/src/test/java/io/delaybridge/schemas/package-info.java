@NullMarked
package io.delaybridge.schemas;

import org.jspecify.annotations.NullMarked;
