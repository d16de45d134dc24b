/**
 * The path of a record from a target topic to a callback. {@code CallbackSinkTask} puts records
 * into a {@link io.delaybridge.connect.callback.Dispatcher}, which lets a bounded number through to
 * the {@link io.delaybridge.connect.callback.Courier}. The courier calls the URL. It hands records
 * that must be retried or have failed for good to the {@link
 * io.delaybridge.connect.callback.Outbox}. Only then is a record finished in its {@link
 * io.delaybridge.connect.callback.Progress}, which knows the offset that may be committed.
 */
@NullMarked
package io.delaybridge.connect.callback;

import org.jspecify.annotations.NullMarked;
