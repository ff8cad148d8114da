package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.diperf.controller.calibrate.Calibration;
import org.diperf.controller.calibrate.CalibrationFiles;
import org.diperf.controller.calibrate.Calibrator;
import org.diperf.controller.calibrate.Machine;
import org.diperf.controller.calibrate.NoStandInException;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what testers on this machine can do. */
@Command(
        name = "calibrate",
        description = {
            "Measures what one tester (load generator) on this machine can do against a service that does "
                    + "nothing. Reports the highest call rate, the CPU per call, how late it sends calls, and how quiet "
                    + "the machine is. Later runs on this machine report how close to that rate they came.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf calibrate",
            "  diperf calibrate --client exec --for 60s",
            "  diperf calibrate --out here.json              for inspection only: runs do not use it",
            "",
            "The result is saved in ~/.local/state/diperf/calibration (or under $XDG_STATE_HOME), one file for",
            "each machine and client. See docs/calibrate.md.",
            "",
            "Exit codes: 0 done, even on a busy machine; 2 bad usage; 3 the calibration failed or was not saved;",
            "130 interrupted (Ctrl-C), 143 terminated: nothing is saved in either case.",
        })
final class CalibrateCommand extends ResultCommand {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    @Option(
            names = "--client",
            paramLabel = "ID",
            defaultValue = "http",
            description = "Client plugin; it runs with its default parameters. Default: ${DEFAULT-VALUE}.")
    String client = "http";

    @Option(
            names = "--for",
            paramLabel = "D",
            defaultValue = "20s",
            description = "Total duration of the load, from 9s to 10m. Default: ${DEFAULT-VALUE}.")
    String length = "20s";

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "File to write to, instead of the calibration that runs use.")
    @Nullable
    Path out;

    @Option(names = "--no-progress", description = "Print the result without progress.")
    boolean noProgress;

    @Mixin
    PluginOptions pluginOptions;

    @Override
    public Integer call() throws Exception {
        PrintWriter print = stdout();
        Calibrator.Wanted wanted = new Calibrator.Wanted(client, length());
        Machine machine = Machine.here();
        CalibrationFiles files = CalibrationFolder.files();
        Path file = out == null ? files.file(client) : out;
        try (PluginOptions.Loaded loaded = pluginOptions.load()) {
            checkClient(loaded.plugins());
            tryToWrite(file);
            LiveLine line = new LiveLine(print);
            Progress progress = noProgress ? new ActionNotices(stderr()) : line;
            Calibrator calibrator =
                    new Calibrator(loaded.plugins(), loaded.jars(), machine, Version.diperf(), progress);
            try (StopSignals signals = new StopSignals(calibrator::interrupt)) {
                if (out == null) {
                    files.unused(file)
                            .ifPresent(
                                    reason -> print.println("replaces a calibration that runs do not use: " + reason));
                }
                Calibration calibration = calibrate(calibrator, wanted, line);
                if (calibration == null || signals.exitCode() != 0) {
                    return signals.exitCode();
                }
                write(calibration, file);
                show(calibration, file, print);
                result(calibration);
                return ExitCode.DONE;
            }
        }
    }

    private static @Nullable Calibration calibrate(Calibrator calibrator, Calibrator.Wanted wanted, LiveLine line)
            throws UsageException, RunFailedException, IOException, InterruptedException {
        try {
            return calibrator.calibrate(wanted);
        } catch (NoStandInException e) {
            throw new UsageException("--client: expected a client that has a stand-in for its service, got '"
                    + wanted.client() + "', which has none that works without parameters; choose one of " + e.able());
        } finally {
            line.end();
        }
    }

    private Duration length() throws UsageException {
        Duration found = UsageException.reading("--for", () -> Quantity.duration(length));
        if (found.compareTo(Calibrator.SHORTEST) >= 0 && found.compareTo(LONGEST) <= 0) {
            return found;
        }
        throw new UsageException("--for: expected 9s to 10m, got '" + length + "'");
    }

    private void checkClient(Plugins plugins) throws UsageException {
        List<String> known = plugins.clients().ids();
        if (!known.contains(client)) {
            throw new UsageException(
                    "--client: expected one of " + known + ", got '" + client + "'" + Plugins.missing(client, known));
        }
    }

    /** Finds out before anything is measured whether the result can be kept. */
    private void tryToWrite(Path file) throws UsageException, RunFailedException {
        try {
            if (Files.isDirectory(file)) {
                throw new UsageException("--out: expected a file, got a folder at " + file + "; specify a file in it");
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                return;
            }
            Path parent = file.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
                Files.delete(Files.createTempFile(parent, "diperf", ".probe"));
            }
        } catch (IOException e) {
            DiskFailure failure = DiskFailure.of(e, file);
            String found = failure.isOfDisk() ? failure.found() : why(e);
            if (out != null && !failure.isOfDisk()) {
                throw new UsageException(
                        "--out: expected a writable file, got " + file + ": " + found + "; choose another");
            }
            throw new RunFailedException(
                    "Could not save the calibration in " + file + ": " + found + ". Nothing was measured; "
                            + failure.remedy() + ", or choose a different file with --out",
                    e);
        }
    }

    private static String why(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "no permission";
        }
        String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return reason == null ? "cannot create a folder there" : reason;
    }

    private static void write(Calibration calibration, Path file) throws RunFailedException {
        try {
            CalibrationFiles.write(calibration, file);
        } catch (IOException e) {
            DiskFailure failure = DiskFailure.of(e, file);
            throw new RunFailedException(
                    "Could not save the calibration in " + file + ": " + failure.found() + ". The result is lost; "
                            + failure.remedy() + ", then calibrate again, or choose a different file with --out",
                    e);
        }
    }

    private void show(Calibration calibration, Path file, PrintWriter print) {
        CalibrationText.lines(calibration).forEach(print::println);
        print.println(" kept in " + file
                + (out == null
                        ? "; runs on this machine will report how close they came to it"
                        : "; runs do not use it"));
    }
}
