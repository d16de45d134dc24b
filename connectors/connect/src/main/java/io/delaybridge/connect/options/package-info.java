/** The definitions of options, each with documentation, allowed values and default. */
@NullMarked
package io.delaybridge.connect.options;

import org.jspecify.annotations.NullMarked;
