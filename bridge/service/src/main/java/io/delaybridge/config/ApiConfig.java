package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of access to the HTTP API.
 *
 * @param tokens path of the file with the tokens, or null, in which case nobody is asked for one
 * @param insecure whether both ports may be open to other machines without tokens
 * @param adminOpen whether the admin port may be open to other machines
 * @param maxBodyBytes largest body of a call; a call with a larger one is refused
 */
public record ApiConfig(
    @Nullable String tokens, boolean insecure, boolean adminOpen, int maxBodyBytes) {

  /** Default size of a body: a value of 1 MiB in base64, and room for the rest. */
  private static final int BODY = 2 << 20;

  /** Defaults and checks. */
  @JsonCreator
  public static ApiConfig of(
      @JsonProperty("tokens") @Nullable String tokens,
      @JsonProperty("insecure") @Nullable Boolean insecure,
      @JsonProperty("adminOpen") @Nullable Boolean adminOpen,
      @JsonProperty("maxBodyBytes") @Nullable Integer maxBodyBytes) {
    return new ApiConfig(
        tokens == null || tokens.isBlank() ? null : tokens.strip(),
        insecure != null && insecure,
        adminOpen != null && adminOpen,
        Check.range("api.maxBodyBytes", maxBodyBytes, BODY, 1 << 10, 64 << 20));
  }
}
