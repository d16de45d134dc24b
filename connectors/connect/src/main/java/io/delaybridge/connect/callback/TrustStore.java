package io.delaybridge.connect.callback;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** Reads the trusted server certificates. */
final class TrustStore {

  private TrustStore() {}

  /**
   * Returns the store that the options name; null if they name no file.
   *
   * @throws ConfigException if the file cannot be read or contains no trusted certificate
   */
  static @Nullable KeyStore of(CallbackConfig config) {
    String path = config.getString(CallbackOptions.TRUST_PATH);
    if (path.isEmpty()) {
      return null;
    }
    String type = config.getString(CallbackOptions.TRUST_TYPE);
    try {
      return load(Path.of(path), type, config.getPassword(CallbackOptions.TRUST_PASSWORD));
    } catch (IOException | GeneralSecurityException e) {
      throw new ConfigException(
          CallbackOptions.TRUST_PATH,
          path,
          "allowed: a file of type %s (%s), with the password in %s; %s"
              .formatted(type, CallbackOptions.TRUST_TYPE, CallbackOptions.TRUST_PASSWORD, e));
    }
  }

  private static KeyStore load(Path file, String type, @Nullable Password password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(type);
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password == null ? null : password.value().toCharArray());
    }
    // Without its password, encrypted entries of a PKCS12 file are skipped silently.
    if (store.size() == 0) {
      throw new KeyStoreException("it has no certificate, or they need a password");
    }
    return store;
  }
}
