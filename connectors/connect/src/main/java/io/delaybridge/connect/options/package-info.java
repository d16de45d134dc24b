/** The definitions of options: each with its documentation, what is allowed and what is usual. */
@NullMarked
package io.delaybridge.connect.options;

import org.jspecify.annotations.NullMarked;
