package io.delaybridge.admin.api;

import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the nullable components of a record optional and the others required. Two records with the
 * same name would silently share a schema, so that is an error here.
 */
final class NullnessConverter implements ModelConverter {

  private final Map<String, Class<?>> names = new HashMap<>();

  @Override
  @SuppressWarnings("rawtypes")
  public @Nullable Schema resolve(
      AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
    if (!chain.hasNext()) {
      return null;
    }
    Schema<?> schema = chain.next().resolve(type, context, chain);
    JavaType java = Json.mapper().constructType(type.getType());
    if (schema != null && java != null && java.getRawClass().isRecord()) {
      String reference = schema.get$ref();
      if (reference == null) {
        mark(schema, java.getRawClass());
      } else {
        String name = reference.substring(reference.lastIndexOf('/') + 1);
        own(name, java.getRawClass());
        mark(context.getDefinedModels().get(name), java.getRawClass());
      }
    }
    return schema;
  }

  private void own(String name, Class<?> type) {
    Class<?> other = names.putIfAbsent(name, type);
    if (other != null && other != type) {
      throw new IllegalStateException(
          "%s and %s are both the schema %s; give one another @Schema(name)"
              .formatted(other.getName(), type.getName(), name));
    }
  }

  private static void mark(@Nullable Schema<?> model, Class<?> type) {
    if (model == null || model.getProperties() == null) {
      return;
    }
    model.setRequired(null);
    for (RecordComponent component : type.getRecordComponents()) {
      Schema<?> property = model.getProperties().get(component.getName());
      boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      if (property != null && nullable) {
        property.setNullable(true);
      } else if (property != null) {
        model.addRequiredItem(component.getName());
      }
    }
  }
}
