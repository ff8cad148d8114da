package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.text.Screen;

/** Writes a comparison for a terminal: the finding, a table, and what to keep in mind. */
public final class ComparisonTable {

    private static final int WIDEST = 100;
    private static final int MOST_NOTES = 12;
    private static final List<Metric> SHOWN =
            List.of(Metric.THROUGHPUT, Metric.RESPONSE_MEAN, Metric.RESPONSE_P50, Metric.RESPONSE_P99, Metric.FAILED);

    private ComparisonTable() {}

    /** Returns the text, with a line feed at its end. */
    public static String render(Comparison comparison, Screen screen) {
        StringBuilder out = new StringBuilder();
        wrapped(out, screen, ComparisonWords.finding(comparison), "");
        out.append('\n');
        if (comparison.contrasts().size() == 1) {
            contrast(out, screen, comparison.contrasts().get(0));
        } else if (!comparison.contrasts().isEmpty()) {
            table(out, screen, comparison);
        }
        for (String obstacle : comparison.obstacles()) {
            wrapped(out, screen, "undecided: " + obstacle, " ");
        }
        List<String> notes = comparison.allNotes();
        notes.stream().limit(MOST_NOTES).forEach(note -> wrapped(out, screen, "note: " + note, " "));
        if (notes.size() > MOST_NOTES) {
            out.append(" and ")
                    .append(notes.size() - MOST_NOTES)
                    .append(" notes more, with --out in comparison.json\n");
        }
        return out.toString();
    }

    private static void contrast(StringBuilder out, Screen screen, Contrast contrast) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", cut(contrast.a().name()), cut(contrast.b().name()), "change", "95 % interval", "p", ""));
        for (MetricResult result : contrast.results()) {
            if (!result.isSeen() || result.metric() == Metric.FAILED && result.valueA() + result.valueB() == 0) {
                continue;
            }
            rows.add(List.of(
                    ComparisonWords.name(result.metric()),
                    ComparisonWords.value(result.metric(), result.valueA()),
                    ComparisonWords.value(result.metric(), result.valueB()),
                    ComparisonWords.change(result.metric(), result.change()),
                    ComparisonWords.interval(result.metric(), result.low(), result.high()),
                    result.finding() == Finding.NOT_JUDGED ? "" : ComparisonWords.p(result.pHolm()),
                    result.finding() == Finding.NOT_JUDGED ? "" : ComparisonWords.word(result.finding())));
        }
        columns(out, screen, rows);
        for (RuleResult rule : contrast.rules()) {
            String mark = switch (rule.outcome()) {
                case KEPT -> screen.green("✓");
                case BROKEN -> screen.red("✗");
                case UNDECIDED -> screen.yellow("?");
            };
            out.append(String.format(
                    Locale.ROOT,
                    "   %s %-28s %s%n",
                    mark,
                    rule.rule().text(),
                    ComparisonWords.change(rule.seen().metric(), rule.seen().change()) + ", "
                            + ComparisonWords.interval(
                                    rule.seen().metric(),
                                    rule.seen().low(),
                                    rule.seen().high())));
        }
        if (!contrast.rules().isEmpty()) {
            out.append('\n');
        }
        wrapped(out, screen, "by " + ComparisonWords.method(contrast), " ");
    }

    private static void table(StringBuilder out, Screen screen, Comparison comparison) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(head());
        rows.addAll(rows(comparison));
        for (List<String> row : rows) {
            row.set(0, cut(row.get(0)));
        }
        columns(out, screen, rows);
        out.append(" * differs with confidence and by enough to matter\n");
    }

    /** Returns the head of {@link #rows}. */
    public static List<String> head() {
        List<String> head = new ArrayList<>(List.of("", "runs"));
        SHOWN.forEach(metric -> head.add(ComparisonWords.name(metric)));
        head.add("");
        return head;
    }

    /** Returns one row a side: the values of what others are compared with, and the changes of those below it. */
    public static List<List<String>> rows(Comparison comparison) {
        List<List<String>> rows = new ArrayList<>();
        for (Side baseline : comparison.baselines()) {
            List<Contrast> contrasts = comparison.contrasts().stream()
                    .filter(contrast -> contrast.a().equals(baseline))
                    .toList();
            List<String> first = row(
                    baseline,
                    metric -> ComparisonWords.value(
                            metric, contrasts.get(0).result(metric).valueA()));
            first.add("what is compared with");
            rows.add(first);
            for (Contrast contrast : contrasts) {
                List<String> row = row(contrast.b(), metric -> starred(contrast.result(metric)));
                row.add(
                        !contrast.found(Finding.WORSE).isEmpty()
                                ? "worse"
                                : !contrast.found(Finding.BETTER).isEmpty()
                                        ? "better"
                                        : !contrast.found(Finding.NOT_SURE).isEmpty()
                                                ? "may be chance"
                                                : !contrast.found(Finding.GENERATOR)
                                                                .isEmpty()
                                                        ? "may be the generator's"
                                                        : ComparisonWords.isUntold(contrast)
                                                                ? "too few data"
                                                                : !contrast.found(Finding.COULD_NOT_TELL)
                                                                                .isEmpty()
                                                                        ? "could not tell"
                                                                        : "no difference");
                rows.add(row);
            }
        }
        return rows;
    }

    private static List<String> row(Side side, Function<Metric, String> cell) {
        List<String> row =
                new ArrayList<>(List.of(side.name(), String.valueOf(side.runs().size())));
        SHOWN.forEach(metric -> row.add(cell.apply(metric)));
        return row;
    }

    /** Marks a change that counts. */
    static String starred(MetricResult result) {
        boolean counts = result.finding() == Finding.WORSE || result.finding() == Finding.BETTER;
        return ComparisonWords.change(result.metric(), result.change()) + (counts ? " *" : "");
    }

    private static void columns(StringBuilder out, Screen screen, List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (int r = 0; r < rows.size(); r++) {
            List<String> row = rows.get(r);
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                boolean left = i == 0 || i == widths.length - 1;
                String format = " %" + (left ? "-" : "") + Math.max(1, widths[i]) + "s ";
                line.append(String.format(Locale.ROOT, format, row.get(i)));
            }
            String text = line.toString().stripTrailing();
            out.append(r == 0 ? screen.dim(text) : text).append('\n');
        }
        out.append('\n');
    }

    private static String cut(String name) {
        return name.length() <= 28 ? name : "…" + name.substring(name.length() - 27);
    }

    private static void wrapped(StringBuilder out, Screen screen, String text, String indent) {
        StringBuilder line = new StringBuilder(indent);
        // A number stays with its per cent.
        for (String part : text.replace(" %", "\u00a0%").split(" ", -1)) {
            String word = part.replace('\u00a0', ' ');
            if (line.length() + word.length() > Math.min(WIDEST, screen.width()) && line.length() > indent.length()) {
                out.append(line.toString().stripTrailing()).append('\n');
                line.setLength(0);
                line.append(indent).append(indent.isEmpty() ? "" : "  ");
            }
            line.append(word).append(' ');
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }
}
