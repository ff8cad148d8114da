package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.diperf.analyzer.server.LogComparison;
import org.diperf.analyzer.text.RunText;
import org.diperf.analyzer.text.SeriesNames;
import org.diperf.analyzer.text.SeriesNames.Named;
import org.diperf.core.run.FigureRecord;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jspecify.annotations.Nullable;

/** The figures that the experiment file asks for: values over time, each kind of unit with an axis of its own. */
record CustomFigures(RunView run) implements RunFigure {

    private static final BasicStroke PALE = new BasicStroke(1f);
    private static final int PALE_ALPHA = 80;
    private static final String SERVER = "server.";

    /** Adds those of which anything was measured. */
    @Override
    public void addTo(List<Figure> to) {
        int number = 0;
        for (FigureRecord wanted : run.analysis().run().report().figures()) {
            number++;
            List<Named> left = found(wanted.left());
            List<Named> right = found(wanted.right());
            if (!left.isEmpty() || !right.isEmpty()) {
                List<String> missing = Stream.concat(wanted.left().stream(), wanted.right().stream())
                        .filter(name -> SeriesNames.find(run.analysis(), name).isEmpty())
                        .toList();
                to.add(figure(number, wanted, left, right, missing));
            }
        }
    }

    private List<Named> found(List<String> names) {
        return names.stream()
                .map(name -> SeriesNames.find(run.analysis(), name))
                .flatMap(java.util.Optional::stream)
                .map(this::drawn)
                .toList();
    }

    private Named drawn(Named row) {
        int quanta = Math.min(row.values().length, run.series().size());
        return new Named(row.name(), row.label(), row.unit(), Arrays.copyOf(row.values(), quanta));
    }

    private Figure figure(int number, FigureRecord wanted, List<Named> left, List<Named> right, List<String> missing) {
        MovingAverage average = run.average();
        Map<Named, Color> colours =
                colours(Stream.concat(left.stream(), right.stream()).toList());
        Panel panel = run.panel();
        int axes = 0;
        for (boolean atLeft : new boolean[] {true, false}) {
            Map<String, List<Named>> units = new LinkedHashMap<>();
            (atLeft ? left : right)
                    .forEach(each -> units.computeIfAbsent(axisOf(each), axis -> new ArrayList<>())
                            .add(each));
            for (List<Named> rows : units.values()) {
                axis(panel, axes++, atLeft, rows.get(0).unit(), rows, colours);
            }
        }
        XYPlot plot = panel.done(true);
        XYPlot difference = difference(left, right);
        NumberAxis time = run.time();
        if (difference == null) {
            plot.setDomainAxis(time);
        } else {
            plot = new StackedPanels(time).add(plot, 3).add(difference, 1).joined();
        }
        String given = wanted.title();
        String title = given != null ? RunText.clean(given) : title(left, right);
        return run.figure(
                "custom-" + number,
                title,
                "Defined in the experiment: thick lines are averages (" + average.words()
                        + "), pale lines are individual intervals; left axis: " + list(left) + ", right axis: "
                        + list(right)
                        + (missing.isEmpty()
                                ? ""
                                : "; not measured in this run: " + RunText.clean(String.join(", ", missing)))
                        + (difference == null
                                ? "."
                                : "; below, how far the server's average is above the clients', in percent."),
                difference == null ? 520 : 640,
                plot);
    }

    /** Returns what has a colour of its own everywhere that colour, and others those that are left. */
    private static Map<Named, Color> colours(List<Named> rows) {
        Map<Named, Color> colours = new LinkedHashMap<>();
        for (Named row : rows) {
            Color colour = own(row.name());
            if (colour != null && !colours.containsValue(colour)) {
                colours.put(row, colour);
            }
        }
        List<Color> unused = new ArrayList<>();
        for (Named row : rows) {
            if (!colours.containsKey(row)) {
                if (unused.isEmpty()) {
                    unused.addAll(List.of(Theme.EACH));
                    unused.removeAll(colours.values());
                }
                colours.put(row, unused.isEmpty() ? Theme.INK : unused.remove(0));
            }
        }
        return colours;
    }

    private void axis(Panel panel, int axis, boolean atLeft, String unit, List<Named> rows, Map<Named, Color> colours) {
        MovingAverage average = run.average();
        double[][] values = rows.stream().map(Named::values).toArray(double[][]::new);
        Scale scale = unit.equals("ms") ? Scale.of(false, values) : Scale.linear(List.of(values));
        String in = unit.isEmpty() ? "" : " (" + unit + ")";
        String label = (rows.size() == 1 ? rows.get(0).label() : name(unit)) + in;
        Color ink = rows.size() == 1 ? Objects.requireNonNull(colours.get(rows.get(0))) : Theme.INK;
        ValueAxis range = scale.axis(RunText.clean(label), ink);
        if (atLeft) {
            panel.left(range);
        } else {
            panel.right(range);
        }
        for (Named row : rows) {
            Color colour = Objects.requireNonNull(colours.get(row));
            Color pale = Theme.pale(colour, PALE_ALPHA);
            if (average.halfWidth() > 0) {
                panel.line(axis, "", row.values(), pale, PALE);
            }
            panel.line(
                    axis,
                    RunText.clean(row.label() + in),
                    average.over(row.values()),
                    colour,
                    isLoad(row.name()) ? Theme.DASHED : Theme.LINE);
        }
    }

    /** Draws what the server's view of a value differs from the clients', where one side has both in one unit. */
    private @Nullable XYPlot difference(List<Named> left, List<Named> right) {
        for (List<Named> side : List.of(left, right)) {
            for (Named server : side) {
                for (Named clients : side) {
                    if (server.name().startsWith(SERVER)
                            && !clients.name().startsWith(SERVER)
                            && !server.unit().isEmpty()
                            && server.unit().equals(clients.unit())) {
                        MovingAverage average = run.average();
                        double[] percent =
                                LogComparison.percent(average.over(clients.values()), average.over(server.values()));
                        return run.panel()
                                .left(DifferenceAxis.of(percent))
                                .line(0, "difference (%)", percent, Theme.LOAD)
                                .done(false);
                    }
                }
            }
        }
        return null;
    }

    /** What has no unit has nothing in common with others. */
    private static String axisOf(Named row) {
        return row.unit().isEmpty() ? "of " + row.name() : row.unit();
    }

    /** Names what an axis shows whose lines have a unit in common. */
    private static String name(String unit) {
        return switch (unit) {
            case "ms" -> "time";
            case "MB" -> "memory";
            case "MB/s" -> "data";
            case "cores" -> "processor time";
            default -> unit.startsWith("calls/") ? "rate" : "several";
        };
    }

    private static boolean isLoad(String name) {
        return name.equals("load") || name.equals("activeClients") || name.equals("inFlight");
    }

    private static @Nullable Color own(String name) {
        return switch (name) {
            case "load", "activeClients", "inFlight" -> Theme.LOAD;
            case "throughput" -> Theme.THROUGHPUT;
            case "response", "response.p50" -> Theme.MEDIAN;
            case "response.p99", "failed" -> Theme.P99;
            default -> null;
        };
    }

    private static String title(List<Named> left, List<Named> right) {
        String all =
                RunText.clean(list(Stream.concat(left.stream(), right.stream()).toList()));
        return Character.toUpperCase(all.charAt(0)) + all.substring(1);
    }

    private static String list(List<Named> rows) {
        List<String> names =
                rows.stream().map(row -> RunText.clean(row.label())).toList();
        return names.isEmpty()
                ? "nothing"
                : names.size() == 1
                        ? names.get(0)
                        : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.get(names.size() - 1);
    }
}
