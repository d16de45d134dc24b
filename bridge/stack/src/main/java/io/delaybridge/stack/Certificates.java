package io.delaybridge.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A key and a self-signed certificate for 127.0.0.1, which is also the certificate that clients
 * must trust. The {@code keytool} of the JDK creates both. They are valid for a week.
 *
 * @param store the key store with both in PKCS12 format, protected by {@link #PASSWORD}
 * @param certificate the certificate in PEM format
 * @param key the key in PEM format, not encrypted
 */
public record Certificates(Path store, Path certificate, Path key) {

  /** The password of the key store. It protects nothing, but some programs require one. */
  public static final String PASSWORD = "changeit";

  private static final String ALIAS = "server";
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Creates a key and a certificate in a directory that has none. */
  public static Certificates in(Path dir) {
    return in(dir, "localhost");
  }

  /** Creates a key and a certificate with this name in a directory that has none. */
  public static Certificates in(Path dir, String name) {
    Path store = dir.toAbsolutePath().resolve("server.p12");
    generate(dir, store, name);
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      Certificate certificate = keys.getCertificate(ALIAS);
      Key key = keys.getKey(ALIAS, PASSWORD.toCharArray());
      return new Certificates(
          store,
          pem(dir.resolve("server.crt"), "CERTIFICATE", certificate.getEncoded()),
          pem(dir.resolve("server.key"), "PRIVATE KEY", key.getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new StackException("The key store " + store + " cannot be read.", e);
    }
  }

  /** Writes the certificates of all to one file, for a server or client that trusts all of them. */
  public static Path bundle(Path file, Certificates... all) {
    try {
      StringBuilder text = new StringBuilder();
      for (Certificates each : all) {
        text.append(Files.readString(each.certificate));
      }
      return Files.writeString(file.toAbsolutePath(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void generate(Path dir, Path store, String name) {
    ManagedProcess keytool = new ManagedProcess("keytool", dir);
    keytool.start(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + name,
            "-ext",
            "san=ip:127.0.0.1,dns:localhost",
            "-validity",
            "7",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD),
        Map.of());
    if (keytool.awaitEnd(LIMIT) != 0) {
      throw keytool.failure("could not make a certificate");
    }
  }

  private static Path pem(Path file, String type, byte[] content) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file.toAbsolutePath(),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, body, type));
  }
}
