import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Adds up what Surefire and Failsafe reported: java .mvn/tools/TestSummary.java [root]. */
final class TestSummary {

  private int passed;
  private final List<String> failed = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    TestSummary summary = new TestSummary();
    try (Stream<Path> files = Files.walk(Path.of(args.length == 0 ? "." : args[0]))) {
      for (Path file : files.filter(TestSummary::isReport).sorted().toList()) {
        summary.add(file);
      }
    }
    summary.print();
  }

  private static boolean isReport(Path file) {
    String folder = file.getParent() == null ? "" : file.getParent().getFileName().toString();
    return folder.matches("(surefire|failsafe)-reports")
        && file.getFileName().toString().matches("TEST-.*\\.xml");
  }

  private void add(Path file) throws Exception {
    Document report = parse(file);
    NodeList cases = report.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element one = (Element) cases.item(i);
      NodeList skips = one.getElementsByTagName("skipped");
      if (skips.getLength() > 0) {
        skipped.add(
            one.getAttribute("classname") + "." + one.getAttribute("name") + ": "
                + reason((Element) skips.item(0)));
      } else if (one.getElementsByTagName("failure").getLength()
              + one.getElementsByTagName("error").getLength()
          > 0) {
        failed.add(one.getAttribute("classname") + "." + one.getAttribute("name"));
      } else {
        passed++;
      }
    }
  }

  /** What a condition said; what an assumption said only stands in its trace, on the first line. */
  private static String reason(Element skip) {
    String message = skip.getAttribute("message");
    String said = message.isEmpty() ? skip.getTextContent().strip() : message;
    return said.isEmpty() ? "no reason given" : said.lines().findFirst().orElseThrow();
  }

  private static Document parse(Path file) throws Exception {
    try (var in = Files.newInputStream(file)) {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    } catch (IOException e) {
      throw new IOException("cannot read " + file, e);
    }
  }

  private void print() {
    skipped.forEach(one -> System.out.println("Skipped: " + one));
    failed.forEach(one -> System.out.println("Failed: " + one));
    System.out.printf(
        "Tests: %d passed, %d failed, %d skipped%n", passed, failed.size(), skipped.size());
  }
}
