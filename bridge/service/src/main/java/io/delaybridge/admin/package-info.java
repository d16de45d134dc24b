/**
 * The interface for operators, and the types that all its parts share: the caller, the rights of a
 * call, and the answer to a failed one.
 *
 * <p>{@code metrics}, {@code health} and {@code limits} know only this. {@code desk} asks about
 * messages and shards, {@code history} remembers what all instances have done, and {@code api}
 * answers calls from all of these. {@code access} and {@code errors} are around every call.
 */
@NullMarked
package io.delaybridge.admin;

import org.jspecify.annotations.NullMarked;
