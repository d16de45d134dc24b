package io.delaybridge.schemas;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Repeats that the array of a record may be null, for the parameter of its compact constructor.
 * There, javac writes the annotation inside {@code byte @Nullable []} to the class file as that of
 * a field. NullAway therefore treats the parameter as non-null and rejects callers that pass null
 * (NullAway issue 1631).
 */
final class Parameter {

  /** NullAway goes by the simple name. */
  @Retention(RetentionPolicy.CLASS)
  @Target(ElementType.PARAMETER)
  @interface Nullable {}

  private Parameter() {}
}
