package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.folder.PlainFile;

/**
 * Writes results as the XML of JUnit 4's Ant task, which every CI tool reads: one suite, one case a thing that was judged.
 * The cases of one thing that was measured share its time, and the suite's time is their sum: tools add them up.
 */
final class JUnitXml {

    private static final Pattern OURS = Pattern.compile("<testsuite name=\"diperf ");
    private static final int HEAD_BYTES = 256;

    private JUnitXml() {}

    /** How a case ended. */
    enum Outcome {
        PASSED,
        /** What was judged does not hold. */
        FAILED,
        /** It could not be judged. */
        ERROR
    }

    /**
     * One thing that was judged.
     *
     * @param group to which it belongs, shown as a class
     * @param name what had to hold
     * @param detail what was seen
     * @param seconds its share of the time that measuring took
     */
    record Case(String group, String name, Outcome outcome, String detail, double seconds) {

        /** Returns the same case with a share of a time. */
        Case withSeconds(double share) {
            return new Case(group, name, outcome, detail, share);
        }
    }

    /** Shares the time of what was measured among the cases that judge it. */
    static List<Case> sharing(double seconds, List<Case> cases) {
        return cases.stream()
                .map(one -> one.withSeconds(seconds / cases.size()))
                .toList();
    }

    /** Writes the file; its folder is made, and one of this name replaced. */
    static void write(Path file, String suite, List<Case> cases) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        byte[] xml = xml(suite, cases).getBytes(StandardCharsets.UTF_8);
        AtomicFile.writeThrough(file, out -> out.write(xml));
    }

    /** Returns whether a file, or what it links to, is a verdict that DiPerF wrote. */
    static boolean isOurs(Path file) throws IOException {
        return Files.isRegularFile(file)
                && OURS.matcher(new String(PlainFile.head(file.toRealPath(), HEAD_BYTES), StandardCharsets.UTF_8))
                        .find();
    }

    static String xml(String suite, List<Case> cases) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append(String.format(
                Locale.ROOT,
                "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\" time=\"%.3f\">%n",
                escaped(suite),
                cases.size(),
                count(cases, Outcome.FAILED),
                count(cases, Outcome.ERROR),
                cases.stream().mapToDouble(Case::seconds).sum()));
        Set<List<String>> taken = new HashSet<>();
        for (Case one : cases) {
            out.append(String.format(
                    Locale.ROOT,
                    "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\">",
                    escaped(one.group()),
                    escaped(unique(one, taken)),
                    one.seconds()));
            switch (one.outcome()) {
                case PASSED ->
                    out.append("<system-out>").append(escaped(one.detail())).append("</system-out>");
                case FAILED -> problem(out, "failure", one);
                case ERROR -> problem(out, "error", one);
            }
            out.append("</testcase>\n");
        }
        return out.append("</testsuite>\n").toString();
    }

    /** Returns the name of a case, with a number where an earlier one of its group has the same: tools keep one of each. */
    private static String unique(Case one, Set<List<String>> taken) {
        String name = one.name();
        for (int i = 2; !taken.add(List.of(one.group(), name)); i++) {
            name = one.name() + " (" + i + ")";
        }
        return name;
    }

    private static void problem(StringBuilder out, String element, Case one) {
        out.append('<')
                .append(element)
                .append(" message=\"")
                .append(escaped(one.detail()))
                .append("\" type=\"diperf\">");
        out.append(escaped(one.detail())).append("</").append(element).append('>');
    }

    private static long count(List<Case> cases, Outcome outcome) {
        return cases.stream().filter(one -> one.outcome() == outcome).count();
    }

    /** Escapes what has a meaning in XML, and leaves out what XML 1.0 cannot hold. */
    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\t', '\n', '\r' -> out.append("&#").append(point).append(';');
                default -> {
                    if (point >= 0x20 && point != 0xFFFE && point != 0xFFFF && !isSurrogate(point)) {
                        out.appendCodePoint(point);
                    }
                }
            }
        });
        return out.toString();
    }

    private static boolean isSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
