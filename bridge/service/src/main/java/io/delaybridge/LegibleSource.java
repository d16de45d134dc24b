package io.delaybridge;

import io.delaybridge.cli.LostBytes;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import java.io.ByteArrayInputStream;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Refuses a configuration file of which not everything was read as it was written. */
record LegibleSource(ConfigurationSourceProvider substituted, LostBytes lost)
    implements ConfigurationSourceProvider {

  @Override
  public InputStream open(String path) throws IOException {
    byte[] bytes;
    try (InputStream in = substituted.open(path)) {
      bytes = in.readAllBytes();
    }
    Optional<String> wrong = lost.inFile(path, new String(bytes, StandardCharsets.UTF_8));
    if (wrong.isPresent()) {
      throw new CharConversionException(wrong.get());
    }
    return new ByteArrayInputStream(bytes);
  }
}
