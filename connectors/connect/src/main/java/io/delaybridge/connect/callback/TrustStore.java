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

/** Reads the certificates that servers may have. */
final class TrustStore {

  private TrustStore() {}

  /**
   * What the options name; null if they name no file.
   *
   * @throws ConfigException if the file cannot be read, or there is nothing in it to trust
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
    // Without its password, what is encrypted in a PKCS12 file is passed over in silence.
    if (store.size() == 0) {
      throw new KeyStoreException("it has no certificate, or they need a password");
    }
    return store;
  }
}
