/**
 * From a record of a target topic to a callback and back: {@code CallbackSinkTask} puts records
 * into a {@link io.delaybridge.connect.callback.Dispatcher}, which lets a bounded number through to
 * the {@link io.delaybridge.connect.callback.Courier}; that calls the URL and hands what must be
 * tried again, or has failed for good, to the {@link io.delaybridge.connect.callback.Outbox}. Only
 * then is a record finished in its {@link io.delaybridge.connect.callback.Progress}, which says
 * what may be committed.
 */
@NullMarked
package io.delaybridge.connect.callback;

import org.jspecify.annotations.NullMarked;
