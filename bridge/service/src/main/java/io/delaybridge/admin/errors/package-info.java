/**
 * Turns everything that goes wrong into a {@link io.delaybridge.admin.Problem} that says what was
 * wrong and what is allowed, and never how the bridge is made.
 */
@NullMarked
package io.delaybridge.admin.errors;

import org.jspecify.annotations.NullMarked;
