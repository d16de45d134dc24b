package io.delaybridge.cli;

import io.delaybridge.admin.access.Token;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.jspecify.annotations.Nullable;

/** {@code token}: makes a token for the HTTP API, and the line for the token file. */
public final class TokenCommand extends Command {

  private @Nullable Subparser parser;

  /** The command as Dropwizard lists it. */
  public TokenCommand() {
    super("token", "Makes a token for the HTTP API and the line for the token file");
  }

  @Override
  public void configure(Subparser subparser) {
    parser = subparser;
    subparser.addArgument("--name").required(true).help("whom the token is for; appears in logs");
    subparser
        .addArgument("--roles")
        .required(true)
        .help("read, schedule, operate; several with commas; operate includes the others");
    subparser
        .addArgument("--intakes")
        .setDefault("*")
        .help("intake topics it may see and touch, with commas, or * for all");
    subparser
        .addArgument("--until")
        .help(
            "when it expires: an instant such as 2030-01-31T08:00:00Z, or P90D from now (default: never)");
  }

  @Override
  public void onError(Cli cli, Namespace namespace, Throwable failure) {
    cli.getStdErr().println(getName() + ": " + failure.getMessage());
  }

  @Override
  public void run(Bootstrap<?> bootstrap, Namespace arguments) throws ArgumentParserException {
    String secret = Token.generate();
    String line;
    try {
      line = line(secret, arguments);
    } catch (IllegalArgumentException e) {
      throw new ArgumentParserException(e.getMessage(), e, parser);
    }
    PrintStream out = Output.out();
    out.println("The token, for a header 'Authorization: Bearer ...'; it is shown only now:");
    out.println(secret);
    out.println("The line for the file that api.tokens names:");
    out.println(line);
  }

  private static String line(String secret, Namespace arguments) {
    String until = arguments.getString("until");
    return Token.parse(
            String.join(
                " ",
                argument(arguments, "name"),
                "sha256:" + Token.hashOf(secret),
                argument(arguments, "roles"),
                argument(arguments, "intakes"),
                until == null ? "" : instant(argument(arguments, "until"))))
        .line();
  }

  /** Refuses white space: what follows it would be taken for the next field of the line. */
  private static String argument(Namespace arguments, String name) {
    String value = arguments.getString(name).strip();
    if (value.isEmpty() || value.matches(".*\\s.*")) {
      throw new IllegalArgumentException(
          "--" + name + " is '" + value + "', allowed: text without spaces, not empty");
    }
    return value;
  }

  private static String instant(String until) {
    if (!until.startsWith("P")) {
      return until;
    }
    try {
      return InstantSource.system()
          .instant()
          .plus(Duration.parse(until))
          .truncatedTo(ChronoUnit.SECONDS)
          .toString();
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "--until is '" + until + "', allowed: an instant, or a duration such as P90D", e);
    }
  }
}
