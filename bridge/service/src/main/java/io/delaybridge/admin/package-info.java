/**
 * What operators see, and what every part of it speaks of: who calls, what a call may do, and what
 * is said when it fails.
 *
 * <p>{@code metrics}, {@code health} and {@code limits} know only this. {@code desk} asks about
 * messages and shards, {@code history} remembers what all instances have done, and {@code api}
 * answers calls from all of these. {@code access} and {@code errors} are around every call.
 */
@NullMarked
package io.delaybridge.admin;

import org.jspecify.annotations.NullMarked;
