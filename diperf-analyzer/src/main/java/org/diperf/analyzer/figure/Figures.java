package org.diperf.analyzer.figure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.diperf.analyzer.compare.Comparison;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.folder.PlainFile;
import org.diperf.core.spi.Node;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All figures of a run. */
public final class Figures {

    private static final Logger LOG = LoggerFactory.getLogger(Figures.class);
    private static final String REMEDY = "figures need fontconfig: apt install fontconfig fonts-dejavu-core";

    /** Each holds a picture of some 20 MB while it draws. */
    private static final int MAX_THREADS = 4;

    /** Every kind of figure of a run, in the order to be shown. */
    private static final List<Function<RunView, RunFigure>> KINDS = List.of(
            Figures::probes,
            LevelFigures::new,
            ModelFigure::new,
            run -> to -> to.add(new TimeSeriesFigures(run).main()),
            CustomFigures::new,
            Figures::parts,
            TimeSeriesTableFigure::new,
            run -> to -> to.add(new TimeSeriesFigures(run).loadThroughputResponse()),
            run -> to -> to.add(new TimeSeriesFigures(run).loadThroughput()),
            HeatMapFigure::new,
            run -> to -> to.add(new DistributionFigures(run).percentiles()),
            EcdfFigure::new,
            run -> to -> to.add(new DistributionFigures(run).distribution()),
            FunnelFigure::new,
            JoinRateFigure::new,
            ClientFigures::new,
            MachineFairnessFigure::new,
            ServerFigures::new,
            NetworkFigures::new,
            AnnexFigures::new,
            ForecastFigures::new,
            ConnectionFigures::new,
            ResponseTimeBreakdownFigure::new,
            Figures::sendLag,
            GeneratorFigure::new,
            run -> new TimeSeriesFigures(run)::failures,
            ClockFigures::new);

    private Figures() {}

    private static RunFigure probes(RunView run) {
        SearchSummary search = run.analysis().summary().search();
        return search == null ? to -> {} : new ProbeFigure(run, search);
    }

    private static RunFigure parts(RunView run) {
        Breakdown breakdown = run.analysis().breakdown();
        return breakdown == null ? to -> {} : new PartFigures(run, breakdown);
    }

    private static RunFigure sendLag(RunView run) {
        return run.analysis().lag().count() == 0
                ? to -> {}
                : to -> to.add(new DistributionFigures(run).sendLag(new TimeSeriesFigures(run)));
    }

    /**
     * A figure that was drawn.
     *
     * @param name of its files in {@code figures/}
     * @param title what it shows
     * @param howToRead one sentence
     * @param width nominal, pixels
     * @param height nominal, pixels
     * @param png of twice the nominal size
     * @param svg standing alone
     */
    public record Drawn(String name, String title, String howToRead, int width, int height, byte[] png, String svg) {}

    /**
     * What could be drawn.
     *
     * @param figures in the order to be shown
     * @param problem why some or all are missing; {@code null}: none is
     */
    public record Result(List<Drawn> figures, @Nullable String problem) {
        public Result {
            figures = List.copyOf(figures);
        }
    }

    /**
     * Makes the charts of a run, in the order to be shown.
     *
     * @throws RuntimeException or an {@code Error} of AWT, on a machine without fonts; see {@link #isWantOfFonts}
     */
    public static List<Figure> all(Analysis analysis) {
        RunView run = RunView.of(analysis);
        List<Figure> figures = new ArrayList<>();
        KINDS.forEach(kind -> kind.apply(run).addTo(figures));
        return figures;
    }

    /**
     * Draws all figures of a run. What cannot be drawn for want of fonts is left out, because the rest of the analysis must continue; the
     * result says so. Bugs of ours are thrown.
     */
    public static Result draw(Analysis analysis) {
        return draw(() -> all(analysis));
    }

    /** Draws all figures of a comparison, likewise, and writes them into a folder. */
    public static Result write(Comparison comparison, Path folder) throws IOException {
        return write(() -> new ComparisonFigures(comparison).all(), folder);
    }

    /**
     * Draws the nodes of a testbed by round trip and bandwidth towards the service into a folder, likewise.
     *
     * @return without a figure where no node has both measures
     */
    public static Result write(List<Node> nodes, String experiment, Path folder) throws IOException {
        return write(() -> NodesFigure.of(nodes, experiment), folder);
    }

    /** Draws figures of any kind into a folder. */
    static Result write(Supplier<List<Figure>> figures, Path folder) throws IOException {
        Result result = draw(figures);
        write(result, folder);
        return result;
    }

    /**
     * Writes figures into a folder, as {@code NAME.png} and {@code NAME.svg}.
     *
     * @param folder made if need be
     */
    public static void write(Result result, Path folder) throws IOException {
        Files.createDirectories(PlainFile.folder(folder));
        // Each file is forced to the disk, which takes many at a time.
        ExecutorService threads = Executors.newFixedThreadPool(MAX_THREADS, Figures::daemon);
        try {
            List<Future<?>> writing = new ArrayList<>();
            for (Drawn figure : result.figures()) {
                writing.add(threads.submit(() -> {
                    AtomicFile.write(folder.resolve(figure.name() + ".png"), figure.png());
                    AtomicFile.write(folder.resolve(figure.name() + ".svg"), figure.svg());
                    return null;
                }));
            }
            IOException failure = null;
            for (Future<?> one : writing) {
                failure = awaitWritten(one, failure);
            }
            if (failure != null) {
                throw failure;
            }
        } finally {
            threads.shutdown();
        }
    }

    /** Waits for a figure's files; returns why the first that could not be written was not. */
    private static @Nullable IOException awaitWritten(Future<?> figure, @Nullable IOException earlier) {
        try {
            join(figure);
            return earlier;
        } catch (UncheckedIOException e) {
            return earlier == null ? e.getCause() : earlier;
        }
    }

    private static Result draw(Supplier<List<Figure>> figures) {
        opensNoWindow();
        List<Drawn> drawn = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(
                Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()), Figures::daemon);
        try {
            List<Future<Drawn>> drawing = new ArrayList<>();
            for (Figure figure : figures.get()) {
                drawing.add(threads.submit(() -> drawn(figure)));
            }
            for (Future<Drawn> one : drawing) {
                drawn.add(join(one));
            }
            return new Result(drawn, null);
        } catch (RuntimeException | Error cause) {
            if (!isWantOfFonts(cause)) {
                throw cause;
            }
            // AWT without its native libraries throws errors of many kinds, the second time other ones than the first.
            LOG.warn("Could not draw the figures; {} ({})", REMEDY, cause.toString());
            LOG.debug("Reason why the figures were not drawn", cause);
            return new Result(drawn, REMEDY + " (" + RunText.clean(cause.toString()) + ")");
        } finally {
            threads.shutdownNow();
        }
    }

    /** A stale DISPLAY must not make AWT look for an X server; nothing here ever opens a window. */
    private static void opensNoWindow() {
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true");
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "diperf-draw");
        thread.setDaemon(true);
        return thread;
    }

    private static Drawn drawn(Figure figure) {
        return new Drawn(
                figure.name(),
                figure.title(),
                figure.howToRead(),
                FigureWriter.WIDTH,
                figure.height(),
                FigureWriter.png(figure),
                FigureWriter.svg(figure));
    }

    /** Waits for a figure; throws what kept it from being drawn or written. */
    private static <T> T join(Future<T> figure) {
        try {
            return figure.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException problem) {
                throw new UncheckedIOException(problem);
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            if (e.getCause() instanceof RuntimeException bug) {
                throw bug;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while drawing figures");
        }
    }

    /**
     * Returns whether a failure comes from a machine without fonts or without AWT's native libraries: that of a library that
     * cannot be linked, that of a class whose initialisation failed before (the first failure told why), and what the JDK's
     * font code throws where it finds neither fontconfig nor a font.
     */
    static boolean isWantOfFonts(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 10; depth++, cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof UnsatisfiedLinkError
                    || message.contains("Fontconfig head is null")
                    || (cause instanceof NoClassDefFoundError && message.startsWith("Could not initialize class"))
                    || (fromFontCode(cause)
                            && (cause instanceof InternalError || cause instanceof NullPointerException))) {
                return true;
            }
        }
        return false;
    }

    private static boolean fromFontCode(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        return trace.length > 0
                && Arrays.stream(trace)
                        .limit(6)
                        .anyMatch(at -> at.getClassName().startsWith("sun.font.")
                                || at.getClassName().startsWith("sun.awt.Font")
                                || at.getClassName().equals("sun.awt.X11FontManager"));
    }
}
