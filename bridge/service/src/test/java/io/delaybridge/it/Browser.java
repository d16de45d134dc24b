package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real browser without a window: Debian's Chromium and its driver. */
final class Browser implements AutoCloseable {

  /** The note in the summary of the build if there is no browser. */
  static final String NONE =
      "NO BROWSER, THE DASHBOARD IS NOT TESTED: chromium and chromedriver must be on the PATH"
          + " (Debian: apt-get install chromium chromium-driver)";

  private static final Duration SOON = Duration.ofSeconds(60);

  private final ChromeDriver driver;

  Browser() {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(Objects.requireNonNull(find("chromium")));
    options.addArguments(
        "--headless=new",
        "--hide-scrollbars",
        "--disable-dev-shm-usage",
        "--disable-background-networking");
    if ("root".equals(System.getProperty("user.name"))) {
      // Chromium refuses to sandbox itself for root, and builds often run as root.
      options.addArguments("--no-sandbox");
    }
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(Objects.requireNonNull(find("chromedriver")))
                .build(),
            options);
    size(1280, 900);
  }

  /** For {@code @EnabledIf}. */
  static boolean isThere() {
    return find("chromium") != null && find("chromedriver") != null;
  }

  private static @Nullable File find(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(directory -> new File(directory, program))
        .filter(File::canExecute)
        .findFirst()
        .orElse(null);
  }

  /** Opens a page as in a new tab: without a token. */
  Browser open(String uri) {
    driver.get(uri);
    if (!Long.valueOf(0).equals(script("return sessionStorage.length"))) {
      driver.executeScript("sessionStorage.clear()");
      errors();
      driver.navigate().refresh();
    }
    return this;
  }

  /** Simulates a return to the tab: the page requests everything at once. */
  Browser comeBack() {
    script("document.dispatchEvent(new Event('visibilitychange'))");
    return this;
  }

  Browser size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    return this;
  }

  /** Sets the zone of the tz database; an empty one is that of the machine. */
  Browser zone(String id) {
    driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", id));
    return this;
  }

  /** Sets the color scheme, {@code light} or {@code dark}. */
  Browser colors(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    return this;
  }

  /** Waits until the visible plots are drawn; a change of colors redraws them. */
  Browser awaitDrawn() {
    await()
        .alias("plots")
        .atMost(SOON)
        .until(
            () ->
                Boolean.TRUE.equals(
                    script(
                        "return [...document.querySelectorAll('section:not([hidden]) canvas')]"
                            + ".every(Chart.getChart)")));
    return this;
  }

  /** Returns the first visible element that matches. */
  WebElement seen(String css) {
    return await()
        .alias(css)
        .atMost(SOON)
        .ignoreExceptions()
        .until(
            () ->
                driver.findElements(By.cssSelector(css)).stream()
                    .filter(WebElement::isDisplayed)
                    .findFirst()
                    .orElse(null),
            Objects::nonNull);
  }

  Browser awaitText(String css, String part) {
    await()
        .alias(css + " says " + part)
        .atMost(SOON)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(text(css)).contains(part));
    return this;
  }

  Browser awaitNoText(String css, String part) {
    await().alias(css + " without " + part).atMost(SOON).until(() -> !text(css).contains(part));
    return this;
  }

  Browser awaitGone(String css) {
    await().alias(css + " goes away").atMost(SOON).until(() -> !isSeen(css));
    return this;
  }

  /** Returns the visible text of all elements that match. */
  String text(String css) {
    return String.valueOf(
        script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText).join('\\n')",
            css));
  }

  boolean isSeen(String css) {
    return Boolean.TRUE.equals(
        script(
            "return [...document.querySelectorAll(arguments[0])].some(e => e.checkVisibility())",
            css));
  }

  Browser click(String css) {
    await()
        .alias("click " + css)
        .atMost(SOON)
        .ignoreExceptions()
        .until(
            () -> {
              seen(css).click();
              return true;
            });
    return this;
  }

  Browser fill(String css, String text) {
    WebElement field = seen(css);
    field.clear();
    field.sendKeys(text);
    return this;
  }

  Browser keys(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
    return this;
  }

  /** Presses Tab until the element has the focus, as a user without a mouse does. */
  Browser tabTo(String css) {
    for (int i = 0; i < 60; i++) {
      keys(Keys.TAB);
      if (Boolean.TRUE.equals(script("return document.activeElement.matches(arguments[0])", css))) {
        return this;
      }
    }
    throw new AssertionError("Tab does not lead to " + css);
  }

  @Nullable Object script(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Runs a script that calls its last argument when it is done. */
  @Nullable Object later(String script, Object... arguments) {
    return driver.executeAsyncScript(script, arguments);
  }

  /** Returns by how many pixels the page is wider than the window. */
  long overflow() {
    return (Long)
        Objects.requireNonNull(
            script("return document.documentElement.scrollWidth - window.innerWidth"));
  }

  /** Returns the browser's errors since the last call, without refusals of the API. */
  List<String> errors() {
    Stream<String> logged =
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
            .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
            .map(entry -> entry.getMessage());
    return logged.filter(message -> !message.contains("/v1/")).toList();
  }

  /** Returns the accessibility faults that axe finds. */
  String accessibilityFaults() {
    try (var in = Objects.requireNonNull(Browser.class.getResourceAsStream("/axe.min.js"))) {
      driver.executeScript(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return String.valueOf(
        later(
            """
            const done = arguments[arguments.length - 1];
            axe.run().then(result => done(result.violations.map(v =>
              v.id + ': ' + v.help + '\\n  ' + v.nodes.map(n => n.html).join('\\n  ')).join('\\n')));
            """));
  }

  /** True if the build was told where to keep pictures. */
  static boolean takesPictures() {
    return System.getProperty("screenshots") != null;
  }

  /** Keeps a picture for the documentation, if the build was told where ({@code -Dscreenshots}). */
  Browser picture(String name) {
    String directory = System.getProperty("screenshots");
    if (directory != null) {
      Path file = Path.of(System.getProperty("root.dir")).resolve(directory).resolve(name + ".png");
      try {
        Files.createDirectories(file.getParent());
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return this;
  }

  @Override
  public void close() {
    driver.quit();
  }
}
