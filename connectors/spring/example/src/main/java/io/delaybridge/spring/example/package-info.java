/** A shop that ships its orders, though its warehouse does not always answer. */
@NullMarked
package io.delaybridge.spring.example;

import org.jspecify.annotations.NullMarked;
