package io.delaybridge.it;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The HTTP API of one bridge. */
final class Api {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String base;

  private final @Nullable String token;

  Api(BridgeProcess bridge) {
    this(bridge, null);
  }

  Api(BridgeProcess bridge, @Nullable String token) {
    this.base = bridge.httpUri() + "/v1/";
    this.token = token;
  }

  record Answer(int status, JsonNode body) {}

  Answer get(String path) {
    return send("GET", path, null);
  }

  Answer post(String path, @Nullable String body) {
    return send("POST", path, body);
  }

  Answer put(String path) {
    return send("PUT", path, null);
  }

  Answer patch(String path, String body) {
    return send("PATCH", path, body);
  }

  Answer delete(String path) {
    return send("DELETE", path, null);
  }

  private Answer send(String method, String path, @Nullable String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(Duration.ofSeconds(60))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    try {
      HttpResponse<String> response =
          CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), parsed(response.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode parsed(String body) throws JsonProcessingException {
    return body.isEmpty() ? MissingNode.getInstance() : JSON.readTree(body);
  }
}
