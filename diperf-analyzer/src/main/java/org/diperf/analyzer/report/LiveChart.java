package org.diperf.analyzer.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.analyzer.figure.Figures.Drawn;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.RunText;

/**
 * The chart at the top of the page, which can be zoomed: uPlot and a script of ours within the page. Without scripts and on
 * paper the picture of the same chart is shown. Its values, at most 4,096 a line, stand in the page as numbers alone, so that
 * nothing from outside gets into a script.
 */
final class LiveChart {

    private static final String PLOT =
            "/*\n" + resource("uplot/LICENSE") + "*/\n" + resource("uplot/uPlot.iife.min.js");
    private static final String DRAWING = resource("chart.js");
    private static final String CHART = DRAWING + resource("report-chart.js");
    private static final String SHEET = resource("uplot/uPlot.min.css");
    private static final double LOG_FROM = 100;
    private static final int MAX_MARKS = 400;
    private static final int MAX_ROWS = 60;

    private final Analysis analysis;
    private final Series series;
    private final RateUnit unit;
    private final String loadName;
    private final double[] load;
    private final double[] throughput;
    private boolean shown;

    LiveChart(Analysis analysis) {
        this.analysis = analysis;
        this.series = analysis.series().drawn();
        this.unit = RateUnit.of(analysis.run());
        boolean open = RunText.isOpen(analysis);
        this.loadName = open ? "calls in flight" : "active clients";
        this.load = open ? series.of(Series.IN_FLIGHT) : series.of(Series.ACTIVE_CLIENTS);
        this.throughput = new double[series.size()];
        for (int i = 0; i < throughput.length; i++) {
            throughput[i] = series.of(Series.THROUGHPUT)[i] * unit.factor();
        }
    }

    /** Returns what a Content-Security-Policy must allow: these scripts and no other. */
    static String policy() {
        return Stream.of(PLOT, CHART)
                .map(script -> "'sha256-" + sha256(script) + "'")
                .collect(Collectors.joining(" "));
    }

    /** Returns the library that draws, with its licence. */
    static String library() {
        return PLOT;
    }

    /** Returns the script that defines {@code diperfChart}. */
    static String drawing() {
        return DRAWING;
    }

    /** Returns the styles of the chart. */
    static String sheet() {
        return SHEET;
    }

    /** Writes a figure: the main one with the chart over it where there is something to zoom into, others as they are. */
    void figure(Html html, Images images, Drawn picture) {
        if (picture.name().equals("main") && series.size() > 1) {
            live(html, images, picture);
            shown = true;
        } else {
            images.figure(html, picture);
        }
    }

    /** Writes the chart, the picture that stands in for it, and the table of its values. */
    private void live(Html html, Images images, Drawn picture) {
        html.open("figure", "id", "figure-main");
        html.open("div", "id", "chart-tools", "role", "toolbar", "aria-label", "zoom");
        for (String[] button : new String[][] {
            {"in", "+", "zoom in"},
            {"out", "−", "zoom out"},
            {"left", "◀", "earlier"},
            {"right", "▶", "later"},
            {"whole", "whole run", "show the whole run"}
        }) {
            html.element("button", button[1], "type", "button", "value", button[0], "aria-label", button[2]);
        }
        html.element("span", "", "id", "chart-view", "aria-live", "polite").close("div");
        html.open(
                "div",
                "id",
                "chart",
                "tabindex",
                "0",
                "role",
                "group",
                "aria-label",
                "Load, throughput and response time over time. Keys: + and − zoom, left and right move, 0 shows "
                        + "the whole run; the values are in the table below.");
        html.close("div");
        key(html);
        images.picture(html, picture);
        html.open("figcaption")
                .text(picture.howToRead()
                        + " Drag to select a part to zoom in on, or use the keys +, −, ◀, ▶ and 0, or Ctrl "
                        + "with the mouse wheel. ");
        images.links(html, picture);
        html.close("figcaption");
        table(html);
        html.close("figure");
    }

    /** Writes data and scripts at the end of the page, if the chart is in it. */
    void scripts(Html html) {
        if (!shown) {
            return;
        }
        html.raw("<script type=\"application/json\" id=\"chart-data\">")
                .raw(json())
                .raw("</script>\n");
        html.raw("<script>").raw(PLOT).raw("</script>\n");
        html.raw("<script>").raw(CHART).raw("</script>\n");
    }

    /** Says what is shaded; the picture has a legend of its own. */
    private void key(Html html) {
        html.open("p", "class", "key");
        for (MarkedInterval.Kind kind : MarkedInterval.Kind.values()) {
            if (analysis.intervals().stream().anyMatch(mark -> mark.kind() == kind)) {
                String name = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
                html.open("span", "class", "swatch " + name).close("span");
                html.text(RunText.of(kind));
            }
        }
        if (analysis.summary().measured() != null) {
            html.open("span", "class", "swatch measured").close("span").text("start and end of the measured part");
        }
        html.close("p");
    }

    private void table(Html html) {
        html.open("details").element("summary", "The same data as a table");
        int each = (series.size() + MAX_ROWS - 1) / MAX_ROWS;
        List<List<String>> rows = new ArrayList<>();
        for (int from = 0; from < series.size(); from += each) {
            int to = Math.min(series.size(), from + each);
            rows.add(List.of(
                    Numbers.clock(from * series.quantumSeconds()),
                    Numbers.plain(mean(load, from, to)),
                    Numbers.plain(mean(throughput, from, to)),
                    Numbers.plain(mean(series.response(Statistic.P50), from, to)),
                    Numbers.plain(max(series.response(Statistic.P99), from, to))));
        }
        html.table(
                each == 1
                        ? "One row per " + Numbers.length(series.quantumSeconds())
                        : "One row per " + Numbers.length(each * series.quantumSeconds())
                                + ", with means (for p99, the maximum); every interval is in series.csv",
                0,
                List.of("from", loadName, "calls" + unit.symbol(), "response p50 (ms)", "response p99 (ms)"),
                rows);
        html.close("details");
    }

    private static double mean(double[] values, int from, int to) {
        double sum = 0;
        int count = 0;
        for (int i = from; i < to; i++) {
            if (Double.isFinite(values[i])) {
                sum += values[i];
                count++;
            }
        }
        return count == 0 ? Double.NaN : sum / count;
    }

    private static double max(double[] values, int from, int to) {
        double max = Double.NaN;
        for (int i = from; i < to; i++) {
            max = Double.isFinite(values[i]) && !(values[i] <= max) ? values[i] : max;
        }
        return max;
    }

    /** Returns numbers and words of ours; nothing from outside. */
    private String json() {
        double duration = Math.max(1e-9, series.durationSeconds());
        double[] seconds = new double[series.size()];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = series.middleSeconds(i);
        }
        double most = Double.NaN;
        double least = Double.NaN;
        for (double[] row : List.of(series.response(Statistic.P50), series.response(Statistic.P99))) {
            for (double value : row) {
                if (value > 0 && Double.isFinite(value)) {
                    most = value <= most ? most : value;
                    least = value >= least ? least : value;
                }
            }
        }
        boolean log = most / least > LOG_FROM;
        StringBuilder out = new StringBuilder(1 << 16);
        out.append("{\"seconds\":").append(number(duration));
        out.append(",\"quantum\":").append(number(series.quantumSeconds()));
        out.append(",\"log\":").append(log);
        out.append(",\"timeLabel\":\"time since the start of the run (")
                .append(duration >= 3600 ? "h:mm:ss" : duration >= 180 ? "min:s" : "s")
                .append(")\",\"loadLabel\":\"load (")
                .append(loadName)
                .append(")\",\"rateLabel\":\"throughput (calls")
                .append(unit.symbol())
                .append(")\",\"colours\":[\"#e9e9e9\",\"#fef8df\",\"#fbeca8\",\"#f3d3e4\",\"#cc79a7\"],\"marks\":[");
        out.append(analysis.intervals().stream()
                .limit(MAX_MARKS)
                .filter(mark -> mark.kind() != MarkedInterval.Kind.RAMP || mark.toSeconds() > mark.fromSeconds())
                .map(mark -> "[" + mark.kind().ordinal() + "," + number(mark.fromSeconds()) + ","
                        + number(Math.min(duration, mark.toSeconds())) + "]")
                .collect(Collectors.joining(",")));
        out.append("],\"measured\":[");
        Window measured = analysis.summary().measured();
        if (measured != null) {
            out.append(number(measured.fromSeconds())).append(',').append(number(measured.toSeconds()));
        }
        out.append("],\"time\":").append(array(seconds, false)).append(",\"series\":[");
        line(out, loadName, "load", "#555", true, load, false);
        line(out.append(','), "calls" + unit.symbol(), "rate", "#0072b2", false, throughput, false);
        line(out.append(','), "p99 (ms)", "ms", "#d55e00", false, series.response(Statistic.P99), log);
        line(out.append(','), "p50 (ms)", "ms", "#009e73", false, series.response(Statistic.P50), log);
        return out.append("]}").toString();
    }

    private static void line(
            StringBuilder out,
            String label,
            String scale,
            String colour,
            boolean dash,
            double[] values,
            boolean positive) {
        out.append("{\"label\":\"").append(label).append("\",\"scale\":\"").append(scale);
        out.append("\",\"colour\":\"").append(colour).append("\",\"dash\":").append(dash);
        out.append(",\"values\":").append(array(values, positive)).append('}');
    }

    private static String array(double[] values, boolean positive) {
        StringBuilder out = new StringBuilder(values.length * 8).append('[');
        for (int i = 0; i < values.length; i++) {
            out.append(i == 0 ? "" : ",").append(positive && !(values[i] > 0) ? "null" : number(values[i]));
        }
        return out.append(']').toString();
    }

    private static String number(double value) {
        if (!Double.isFinite(value)) {
            return "null";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.6g", value);
    }

    private static String sha256(String script) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JDK has SHA-256", impossible);
        }
    }

    private static String resource(String name) {
        try (InputStream in = LiveChart.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the jar; rebuild it");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + name + " from the jar failed", e);
        }
    }
}
