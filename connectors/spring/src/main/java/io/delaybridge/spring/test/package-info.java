/** For tests of applications, without a broker. */
@NullMarked
package io.delaybridge.spring.test;

import org.jspecify.annotations.NullMarked;
