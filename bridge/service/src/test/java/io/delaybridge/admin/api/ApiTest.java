package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.admin.Role;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.HttpMethod;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ApiTest {

  private static final Path CLASSES = Path.of("target", "classes");

  private static List<Class<?>> compiled() throws IOException, ClassNotFoundException {
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(CLASSES.resolve("io"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = CLASSES.relativize(file).toString().replace('/', '.');
        classes.add(
            Class.forName(
                name.substring(0, name.length() - ".class".length()),
                false,
                ApiTest.class.getClassLoader()));
      }
    }
    return classes;
  }

  @Test
  void everyResourceIsListed() throws IOException, ClassNotFoundException {
    assertThat(compiled())
        .filteredOn(type -> type.isAnnotationPresent(jakarta.ws.rs.Path.class))
        .containsExactlyInAnyOrderElementsOf(Api.RESOURCES);
  }

  private static Stream<Method> calls() {
    return Api.RESOURCES.stream()
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .filter(
            method ->
                Arrays.stream(method.getAnnotations())
                    .anyMatch(
                        annotation ->
                            annotation.annotationType().isAnnotationPresent(HttpMethod.class)));
  }

  @Test
  void everyCallSaysWhoMayMakeIt() {
    assertThat(calls())
        .filteredOn(method -> method.getDeclaringClass() != OpenApiResource.class)
        .isNotEmpty()
        .allSatisfy(
            method -> {
              RolesAllowed roles = method.getAnnotation(RolesAllowed.class);
              if (roles == null) {
                assertThat(method.isAnnotationPresent(PermitAll.class)).isTrue();
              } else {
                assertThat(List.of(Role.READ, Role.SCHEDULE, Role.OPERATE))
                    .containsAll(List.of(roles.value()));
              }
            });
  }

  @Test
  void aResourceThatIsNotWiredStopsTheStart() {
    assertThatThrownBy(() -> Api.complete(List.of(new WhoamiResource(List.of(), false))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("HealthResource");
  }
}
