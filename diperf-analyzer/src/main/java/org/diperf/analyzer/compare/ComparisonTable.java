package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.TerminalFormat;

/** Writes a comparison for a terminal: the finding, a table, and what to keep in mind. */
public final class ComparisonTable {

    private static final int WIDEST = 100;
    private static final int WIDE_GAP = 2;
    private static final int MAX_NAME = 28;
    private static final int MIN_NAME = 8;
    private static final int RUNS_COLUMN = 1;
    private static final int MAX_NOTES = 12;

    private ComparisonTable() {}

    /** Returns the text, with a line feed at its end. */
    public static String render(Comparison comparison, TerminalFormat screen) {
        StringBuilder out = new StringBuilder();
        wrapped(out, screen, ComparisonText.finding(comparison), "");
        out.append('\n');
        if (comparison.contrasts().size() == 1) {
            contrast(out, screen, comparison.contrasts().get(0));
        } else if (!comparison.contrasts().isEmpty()) {
            table(out, screen, comparison);
        }
        ComparisonText.reasonsBesides(comparison).forEach(reason -> wrapped(out, screen, "undecided: " + reason, " "));
        List<String> notes = comparison.allNotes();
        notes.stream().limit(MAX_NOTES).forEach(note -> wrapped(out, screen, "note: " + note, " "));
        if (notes.size() > MAX_NOTES) {
            out.append(" and ")
                    .append(notes.size() - MAX_NOTES)
                    .append(" more notes; --out writes them all to comparison.json\n");
        }
        return out.toString();
    }

    private static void contrast(StringBuilder out, TerminalFormat screen, Contrast contrast) {
        List<List<String>> rows = rows(contrast, MAX_NAME, false);
        if (width(rows, WIDE_GAP) <= screen.width()) {
            columns(out, screen, rows, WIDE_GAP);
        } else {
            List<List<String>> least = rows(contrast, MIN_NAME, true);
            int room = MIN_NAME + (screen.width() - width(least, 1)) / 2;
            columns(out, screen, rows(contrast, Math.max(MIN_NAME, Math.min(MAX_NAME, room)), true), 1);
        }
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
                    ComparisonText.change(rule.seen().metric(), rule.seen().change()) + ", "
                            + ComparisonText.interval(
                                    rule.seen().metric(),
                                    rule.seen().low(),
                                    rule.seen().high())));
        }
        if (!contrast.rules().isEmpty()) {
            out.append('\n');
        }
        String tooFew = ComparisonText.tooFew(contrast);
        if (!tooFew.isEmpty()) {
            wrapped(out, screen, "too few calls: " + tooFew, " ");
        }
        wrapped(out, screen, "based on " + ComparisonText.compared(contrast), " ");
    }

    /**
     * Returns the head and a row for each metric.
     *
     * @param name how much of a side's name fits
     * @param brief whether to leave out what takes room and can be had elsewhere
     */
    private static List<List<String>> rows(Contrast contrast, int name, boolean brief) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "", cut(contrast.a().name(), name), cut(contrast.b().name(), name), "change", "95 % interval", ""));
        for (MetricResult result : contrast.results()) {
            Metric metric = result.metric();
            if (!ComparisonText.isTold(result)) {
                continue;
            }
            String interval = ComparisonText.interval(metric, result.low(), result.high());
            rows.add(List.of(
                    ComparisonText.name(metric),
                    ComparisonText.value(metric, result.valueA()),
                    ComparisonText.value(metric, result.valueB()),
                    ComparisonText.change(metric, result.change()),
                    brief ? interval.replace(" points", "") : interval,
                    ComparisonText.word(result)));
        }
        return rows;
    }

    private static void table(StringBuilder out, TerminalFormat screen, Comparison comparison) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(head());
        rows.addAll(rows(comparison));
        for (List<String> row : rows) {
            row.set(0, cut(row.get(0), MAX_NAME));
        }
        if (width(rows, WIDE_GAP) <= screen.width()) {
            columns(out, screen, rows, WIDE_GAP);
        } else {
            List<List<String>> brief = brief(comparison, MIN_NAME);
            int room = MIN_NAME + screen.width() - width(brief, 1);
            columns(out, screen, brief(comparison, Math.max(MIN_NAME, Math.min(MAX_NAME, room))), 1);
        }
        out.append(" * statistically certain and large enough to matter\n");
    }

    /** Returns head and rows with short names, and without what a narrow screen has no room for. */
    private static List<List<String>> brief(Comparison comparison, int name) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "calls/s", "mean ms", "p50 ms", "p99 ms", "failed %", ""));
        for (List<String> full : rows(comparison)) {
            List<String> row = new ArrayList<>();
            full.forEach(cell -> row.add(cell.replace(" points", "")));
            row.remove(RUNS_COLUMN);
            row.set(0, cut(row.get(0), name));
            rows.add(row);
        }
        return rows;
    }

    /** Returns the head of {@link #rows}. */
    public static List<String> head() {
        List<String> head = new ArrayList<>(List.of("", "runs"));
        ComparisonText.ALWAYS.forEach(metric -> head.add(ComparisonText.name(metric)));
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
                    metric -> ComparisonText.value(
                            metric, contrasts.get(0).result(metric).valueA()));
            first.add("the baseline");
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
                                                        ? "may be due to generator"
                                                        : ComparisonText.isUntold(contrast)
                                                                ? "too little data"
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
        ComparisonText.ALWAYS.forEach(metric -> row.add(cell.apply(metric)));
        return row;
    }

    /** Marks a change that counts. */
    static String starred(MetricResult result) {
        boolean counts = result.finding() == Finding.WORSE || result.finding() == Finding.BETTER;
        return result.isSeen()
                ? ComparisonText.change(result.metric(), result.change()) + (counts ? " *" : "")
                : ComparisonText.isTold(result) ? ComparisonText.word(result) : Numbers.NONE;
    }

    private static int[] widths(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], TerminalFormat.length(row.get(i)));
            }
        }
        return widths;
    }

    private static int width(List<List<String>> rows, int gap) {
        int[] widths = widths(rows);
        return 1 + IntStream.of(widths).sum() + gap * (widths.length - 1);
    }

    private static void columns(StringBuilder out, TerminalFormat screen, List<List<String>> rows, int gap) {
        int[] widths = widths(rows);
        for (int r = 0; r < rows.size(); r++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = rows.get(r).get(i);
                String room = " ".repeat(widths[i] - TerminalFormat.length(cell));
                boolean left = i == 0 || i == widths.length - 1;
                line.append(" ".repeat(i == 0 ? 1 : gap)).append(left ? cell + room : room + cell);
            }
            String text = line.toString().stripTrailing();
            out.append(r == 0 ? screen.dim(text) : text).append('\n');
        }
        out.append('\n');
    }

    private static String cut(String name, int most) {
        return name.length() <= most ? name : "…" + name.substring(name.length() - most + 1);
    }

    private static void wrapped(StringBuilder out, TerminalFormat screen, String text, String indent) {
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
