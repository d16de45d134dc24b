package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.delaybridge.admin.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The OpenAPI document agrees with the code, and is complete. */
class OpenApiDocumentTest {

  private static final Path CHECKED_IN =
      Path.of("../../schemas/src/main/resources/delay-bridge.openapi.json");
  private static final String REGENERATE =
      "mvn -Dquick -pl bridge/service -am -Dtest=OpenApiDocumentTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dopenapi.write test";

  private static String generated = "";
  private static JsonNode document = JsonMapper.builder().build().createObjectNode();

  @BeforeAll
  static void generate() throws IOException {
    generated = OpenApiGenerator.generate(Api.RESOURCES);
    document = new JsonMapper().readTree(generated);
    if (System.getProperty("openapi.write") != null) {
      Files.writeString(CHECKED_IN, generated);
    }
  }

  private record Call(String name, JsonNode operation) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Call> calls() {
    List<Call> calls = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        calls.add(new Call(method.getKey() + " " + path.getKey(), method.getValue()));
      }
    }
    return calls;
  }

  @Test
  void theCheckedInDocumentIsTheOneOfTheCode() throws IOException {
    assertThat(Files.readString(CHECKED_IN))
        .as("If the API is meant to change, run: %s", REGENERATE)
        .isEqualTo(generated);
  }

  @Test
  void everyCallHasASummaryATagAndAName() {
    assertThat(calls())
        .isNotEmpty()
        .allSatisfy(
            call -> {
              assertThat(call.operation().path("summary").asText()).isNotBlank();
              assertThat(call.operation().path("tags")).isNotEmpty();
              // Client generators make a method of it; an id that Swagger chose ends in _1.
              assertThat(call.operation().path("operationId").asText()).matches("[a-z][a-zA-Z]+");
            });
  }

  @Test
  void everyCallSaysWhoMayMakeIt() {
    assertThat(calls())
        .allSatisfy(
            call -> {
              assertThat(call.operation().path("x-role").asText())
                  .isIn(Set.of("any", Role.READ, Role.SCHEDULE, Role.OPERATE));
              assertThat(call.operation().at("/security/0").has(Api.SECURITY_SCHEME)).isTrue();
            });
  }

  @Test
  void everyCallSaysWhatItAnswersWhenAllIsWell() {
    assertThat(calls())
        .allSatisfy(
            call ->
                assertThat(
                        call.operation().path("responses").properties().stream()
                            .filter(response -> response.getKey().startsWith("2")))
                    .as("add @ApiResponse if the method returns a Response")
                    .isNotEmpty()
                    .allSatisfy(
                        response ->
                            assertThat(
                                    response.getKey().equals("204")
                                        || !response
                                            .getValue()
                                            .at("/content/application~1json/schema")
                                            .isMissingNode())
                                .isTrue()));
  }

  @Test
  void everyErrorIsAProblem() {
    assertThat(
            document.at("/components/responses/Problem/content/application~1problem+json/schema"))
        .hasToString("{\"$ref\":\"#/components/schemas/Problem\"}");
    assertThat(calls())
        .allSatisfy(
            call ->
                assertThat(call.operation().at("/responses/default/$ref").asText())
                    .isEqualTo("#/components/responses/Problem"));
  }

  @Test
  void theCallerIsNotPartOfWhatIsSent() {
    assertThat(generated).doesNotContain("\"Caller\"");
  }

  @Test
  void whatMayBeNullIsNotRequired() {
    JsonNode check = document.at("/components/schemas/HealthCheck");

    assertThat(StreamSupport.stream(check.path("required").spliterator(), false))
        .extracting(JsonNode::asText)
        .containsExactlyInAnyOrder("name", "healthy");
    assertThat(check.at("/properties/message/nullable").asBoolean()).isTrue();
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    assertThat(document.findValues("$ref"))
        .isNotEmpty()
        .allSatisfy(
            reference ->
                assertThat(document.at(reference.asText().substring(1)).isMissingNode()).isFalse());
  }
}
