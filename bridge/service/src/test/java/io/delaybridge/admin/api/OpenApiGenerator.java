package io.delaybridge.admin.api;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.delaybridge.admin.Problem;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.jaxrs2.Reader;
import io.swagger.v3.jaxrs2.ext.OpenAPIExtension;
import io.swagger.v3.jaxrs2.ext.OpenAPIExtensions;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Generates the OpenAPI document from the resource classes; the same code gives the same text. */
final class OpenApiGenerator {

  // The generator keeps its extensions for the whole process.
  static {
    ModelConverters.getInstance().addConverter(new NullnessConverter());
    List<OpenAPIExtension> extensions = new ArrayList<>(OpenAPIExtensions.getExtensions());
    extensions.add(0, new CallExtension());
    OpenAPIExtensions.setExtensions(extensions);
  }

  private OpenApiGenerator() {}

  static String generate(List<Class<?>> resources) throws IOException {
    Set<Class<?>> classes = new HashSet<>(resources);
    classes.add(Api.class);
    OpenAPI document = new Reader(new OpenAPI()).read(classes);
    addProblem(document);
    // Swagger calls everything an object that is one in Java.
    document.getComponents().getSchemas().values().stream()
        .filter(schema -> schema.getOneOf() != null)
        .forEach(schema -> schema.setType(null));
    return text(document);
  }

  private static void addProblem(OpenAPI document) {
    ResolvedSchema problem =
        ModelConverters.getInstance()
            .resolveAsResolvedSchema(
                new io.swagger.v3.core.converter.AnnotatedType(Problem.Body.class)
                    .resolveAsRef(false));
    document.getComponents().addSchemas(CallExtension.PROBLEM, problem.schema);
    document
        .getComponents()
        .addResponses(
            CallExtension.PROBLEM,
            new ApiResponse()
                .description("What was wrong, and what is allowed (RFC 9457)")
                .content(
                    new Content()
                        .addMediaType(
                            Problem.MEDIA_TYPE,
                            new io.swagger.v3.oas.models.media.MediaType()
                                .schema(new Schema<>().$ref(CallExtension.PROBLEM)))));
  }

  /** Sorts the parts that the generator leaves in the order of a hash or of reflection. */
  private static String text(OpenAPI document) throws IOException {
    ObjectNode tree = Json.mapper().valueToTree(document);
    sort(tree, "paths");
    for (JsonNode path : tree.path("paths")) {
      path.forEach(operation -> sort(operation, "responses"));
    }
    for (String part : List.of("schemas", "responses")) {
      sort(tree.path("components"), part);
    }
    DefaultIndenter indent = new DefaultIndenter("  ", "\n");
    return Json.mapper()
            .writer(new DefaultPrettyPrinter().withObjectIndenter(indent).withArrayIndenter(indent))
            .writeValueAsString(tree)
        + "\n";
  }

  private static void sort(JsonNode parent, String field) {
    if (parent.path(field) instanceof ObjectNode node) {
      Map<String, JsonNode> sorted = new TreeMap<>();
      node.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
      node.removeAll();
      node.setAll(sorted);
    }
  }
}
