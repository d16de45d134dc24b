/**
 * Who may call the API and how far a call gets: tokens, what a browser may be made to do, how large
 * a body may be, and what becomes of a call that is refused.
 *
 * <p>A call passes {@link io.delaybridge.admin.access.SecurityHeaders}, then {@link
 * io.delaybridge.admin.access.BrowserGuard}, then {@link io.delaybridge.admin.access.BearerFilter},
 * then the check of its role by Jersey, then {@link io.delaybridge.admin.access.BodyLimit}, then
 * {@link io.delaybridge.admin.access.StrictFeature}. Whoever refuses it, {@link
 * io.delaybridge.admin.access.Refusals} counts it.
 */
@NullMarked
package io.delaybridge.admin.access;

import org.jspecify.annotations.NullMarked;
