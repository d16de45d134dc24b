/** What the delay transform reads of a record: where, in which unit, and what it means. */
@NullMarked
package io.delaybridge.connect.transform;

import org.jspecify.annotations.NullMarked;
