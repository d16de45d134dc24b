package io.delaybridge.schemas;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says once more that the array of a record may be null, for the parameter of its compact
 * constructor. There, javac writes the annotation inside {@code byte @Nullable []} to the class
 * file as one of a field, so NullAway takes the parameter for a non-null one and refuses every
 * caller that has a null (NullAway issue 1631).
 */
final class Parameter {

  /** NullAway goes by the simple name. */
  @Retention(RetentionPolicy.CLASS)
  @Target(ElementType.PARAMETER)
  @interface Nullable {}

  private Parameter() {}
}
