package org.diperf.core.spi;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a testbed, a monitor or a client leaves in the folder of a run, {@code annexes/NAME.json}, to be shown with the run's own
 * results in terminal, report, {@code summary.json} and CSV files. Its constructors refuse what is too large or misnamed with an
 * {@link IllegalArgumentException}. Immutable.
 *
 * <p>Texts are one line of at most {@value #MAX_TEXT} characters. In facts and in the drawing <code>${NAME}</code> stands for a
 * number, and <code>${TABLE.ROW.COLUMN}</code> for a cell of a table, whose rows count from 1: each is written with its unit.
 *
 * @param name unique in the run: letters, digits and hyphens in lower case, at most 32
 * @param title of its section
 * @param facts in the order to be shown
 * @param numbers that thresholds can name, as {@code annexes.NAME.NUMBER}
 * @param tables each of which becomes {@code annex-NAME-TABLE.csv} too
 * @param chart {@code null}: none
 * @param drawing SVG of text, title, desc, g, rect, line, path, polyline, polygon, circle and ellipse with presentation attributes; all else
 *     is left out. Classes are {@code name} and {@code small} of texts. {@code data-load="NAME NAME"} of a line names percentages: the
 *     larger the largest of them, the thicker it is, and from 70 and 95 on it warns. Empty: none
 * @param warnings count for the verdict of the run
 * @param delay that it may have added to calls; {@code null}: none
 */
public record Annex(
        String name,
        String title,
        List<Fact> facts,
        List<Amount> numbers,
        List<Table> tables,
        @Nullable Chart chart,
        String drawing,
        List<Remark> warnings,
        @Nullable Delay delay) {

    public static final int MAX_TEXT = 500;
    /** Of facts, numbers, columns and warnings each. */
    public static final int MAX_ITEMS = 200;

    public static final int MAX_TABLES = 8;
    public static final int MAX_ROWS = 2_000;
    /** Of a panel, and points of a line. */
    public static final int MAX_LINES = 2_000;

    public static final int MAX_DRAWING = 250_000;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");
    private static final Pattern INNER_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9.-]{0,63}");

    public Annex {
        checkName(NAME, name);
        checkText(title);
        facts = bounded(facts, MAX_ITEMS);
        numbers = bounded(numbers, MAX_ITEMS);
        tables = bounded(tables, MAX_TABLES);
        warnings = bounded(warnings, MAX_ITEMS);
        if (drawing.length() > MAX_DRAWING) {
            throw new IllegalArgumentException(
                    "expected a drawing of at most " + MAX_DRAWING + " characters, got " + drawing.length());
        }
    }

    /** Returns the same annex with another name. */
    public Annex named(String other) {
        return new Annex(other, title, facts, numbers, tables, chart, drawing, warnings, delay);
    }

    private static void checkName(Pattern pattern, String name) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException("expected a name of the form " + pattern + ", got '" + name + "'");
        }
    }

    private static void checkText(String text) {
        if (text.length() > MAX_TEXT) {
            throw new IllegalArgumentException(
                    "expected text of at most " + MAX_TEXT + " characters, got " + text.length());
        }
    }

    private static <T> List<T> bounded(List<T> items, int max) {
        if (items.size() > max) {
            throw new IllegalArgumentException("expected at most " + max + " items, got " + items.size());
        }
        return List.copyOf(items);
    }

    /**
     * A fact.
     *
     * @param name one word; of several with one name only the first shows it
     */
    public record Fact(String name, String text) {
        public Fact {
            checkText(name);
            checkText(text);
        }
    }

    /**
     * A number of the run.
     *
     * @param name letters, digits, hyphens and dots
     * @param unit such as ms, bit/s, bytes, percent, packets; empty: none
     */
    public record Amount(String name, String unit, Cell value) {
        public Amount {
            checkName(INNER_NAME, name);
            checkText(unit);
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * A table.
     *
     * @param name letters, digits and hyphens
     * @param title says what one row is
     */
    public record Table(String name, String title, List<Column> columns, List<List<Cell>> rows) {
        public Table {
            checkName(NAME, name);
            checkText(title);
            columns = bounded(columns, MAX_ITEMS);
            rows = bounded(rows, MAX_ROWS).stream().map(List::copyOf).toList();
            for (List<Cell> row : rows) {
                if (row.size() != columns.size()) {
                    throw new IllegalArgumentException("expected " + columns.size() + " cells in each row of table '"
                            + name
                            + "', got " + row.size());
                }
            }
        }
    }

    /**
     * A column.
     *
     * @param name in files
     * @param heading for people
     * @param unit of its numbers; empty: none, or it holds texts
     */
    public record Column(String name, String heading, String unit) {
        public Column {
            checkName(INNER_NAME, name);
            checkText(heading);
            checkText(unit);
        }
    }

    /** A value: a text, a number that is known, one that the analysis finds, or none of them. */
    public record Cell(
            @Nullable String text,
            @Nullable Double number,
            @Nullable Asked asked) {

        /** Holds nothing: not measured. */
        public static final Cell NONE = new Cell(null, null, null);

        public Cell {
            if (text != null) {
                checkText(text);
            }
        }

        public static Cell of(String text) {
            return new Cell(text, null, null);
        }

        public static Cell of(double number) {
            return new Cell(null, number, null);
        }

        public static Cell of(What what, List<String> metrics) {
            return new Cell(null, null, new Asked(what, metrics, 0, 0));
        }

        /** Asks for a time between two instants after the start of the load. */
        public static Cell of(What what, long fromNanos, long toNanos) {
            return new Cell(null, null, new Asked(what, List.of(), fromNanos, toNanos));
        }
    }

    /**
     * A number that the analysis finds.
     *
     * @param metrics of the monitor of the testbed, or of the monitor that leaves the annex; one that it has not reported was 0
     * @param fromNanos after the start of the load
     * @param toNanos likewise; what is behind the end of the run is cut off, and so is what lasts longer than an hour
     */
    public record Asked(What what, List<String> metrics, long fromNanos, long toNanos) {
        public Asked {
            Objects.requireNonNull(what, "what");
            metrics = bounded(metrics, MAX_LINES);
        }
    }

    /** What can be asked. */
    public enum What {
        /** Mean of the metrics' means over the measured part. */
        MEAN,
        /** Sum of the metrics' means over the measured part. */
        SUM,
        /** Largest value of any of the metrics in the measured part. */
        MAX,
        /** Longest time between two instants in which calls of a tester, which had some in the 10 s before, did not end well, ms. */
        OUTAGE,
        /** Longest time from a call of a tester that ended well to its next, both between two instants, ms. */
        PAUSE
    }

    /** Lines over the time of the run, in panels over one another; of the lines, those with the largest mean are drawn. */
    public record Chart(String title, String howToRead, List<Panel> panels) {
        public Chart {
            checkText(title);
            checkText(howToRead);
            panels = bounded(panels, MAX_TABLES);
        }
    }

    /**
     * One panel; lines of one name have one colour in all. It is left out if nothing is known of any of its lines.
     *
     * @param label with the unit
     * @param divisor of the values
     */
    public record Panel(String label, double divisor, List<Line> lines) {
        public Panel {
            checkText(label);
            lines = bounded(lines, MAX_LINES);
        }
    }

    /**
     * A line.
     *
     * @param metric as of {@link Asked#metrics}, or one of the client's calls; empty: it has points of its own
     */
    public record Line(String name, String metric, List<Point> points) {
        public Line {
            checkText(name);
            checkText(metric);
            points = bounded(points, MAX_LINES);
        }
    }

    /** A value at an instant after the start of the load. */
    public record Point(double seconds, double value) {}

    /**
     * Something to be said against the numbers of the run.
     *
     * @param isSuspect whether it puts them in doubt
     */
    public record Remark(boolean isSuspect, String text) {
        public Remark {
            checkText(text);
        }
    }

    /**
     * What a testbed added to calls, by metrics of its monitor that say so for slices of time, each at its end; between slices that are
     * reported it added nothing. A call is taken to have waited for a chain of steps, one after another. The ranges of the run's
     * numbers reach down by the smaller of two bounds: the time of the call in which any step was overdue, and as many times the
     * largest delay as steps fit into the call.
     *
     * @param by what added it, such as {@code the network}
     * @param share metric: share of the slice in which any step was overdue, percent, a rate
     * @param largest metric: by how much the latest step was late, ms
     * @param stepNanos shortest time that a step takes; 0: not known
     */
    public record Delay(String by, String share, String largest, long stepNanos) {
        public Delay {
            checkText(by);
            checkText(share);
            checkText(largest);
        }
    }
}
