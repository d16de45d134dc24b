package io.delaybridge.connect.transform;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.jspecify.annotations.Nullable;

/**
 * Where in a record something is: {@code key} or {@code value} as a whole, or a field in one of
 * them, as in {@code value.order.due}. Fields of structs and of maps.
 */
public final class FieldPath {

  private static final String KEY = "key";
  private static final String VALUE = "value";

  private final String text;
  private final boolean inKey;
  private final List<String> names;

  private FieldPath(String text, boolean inKey, List<String> names) {
    this.text = text;
    this.inKey = inKey;
    this.names = names;
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it begins with neither of the two, or has an empty name
   */
  public static FieldPath of(String text) {
    List<String> parts = Arrays.asList(text.split("\\.", -1));
    String root = parts.get(0);
    if (!(root.equals(KEY) || root.equals(VALUE)) || parts.contains("")) {
      throw new IllegalArgumentException(text + " is not a field, as in value.due");
    }
    return new FieldPath(text, root.equals(KEY), parts.subList(1, parts.size()));
  }

  /**
   * What is there.
   *
   * @return null if there is nothing, also if a struct or map on the way is null or lacks the field
   * @throws DataException if something on the way is neither a struct nor a map
   */
  public @Nullable Object in(ConnectRecord<?> record) {
    Object found = inKey ? record.key() : record.value();
    for (String name : names) {
      if (found == null) {
        return null;
      } else if (found instanceof Struct struct) {
        found = struct.schema().field(name) == null ? null : struct.get(name);
      } else if (found instanceof Map<?, ?> map) {
        found = map.get(name);
      } else {
        throw new DataException(
            "%s can not be read: a %s has no field %s"
                .formatted(text, found.getClass().getSimpleName(), name));
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return text;
  }
}
