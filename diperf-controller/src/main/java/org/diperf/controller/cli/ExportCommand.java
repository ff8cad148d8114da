package org.diperf.controller.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.export.RunCalls;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the calls of a run for other tools. */
@Command(
        name = "export",
        description = {
            "Writes the calls of a run in a format that other tools can read. Each has, in global time, its "
                    + "tester,"
                    + " client, stage, kind of request, intended start, send lag, response time, outcome and metrics.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf export --format csv                     the calls of runs/latest",
            "  diperf export runs/latest --format csv --out - | head",
            "  diperf export runs/latest --format jtl --out calls.jtl && jmeter -g calls.jtl -o report",
            "  diperf export runs/latest --format hlog        for HdrHistogram tools",
            "  diperf export runs/latest --format csv --window peak --out peak.csv",
            "",
            "csv and json-lines contain every number as measured, jtl is for JMeter's report generator, hgrm and",
            "hlog are histograms of the response times of ok calls. 'diperf plugins' lists all formats;",
            "docs/exchange.md describes them.",
            "",
            "Exit codes: 0 done, even if samples are damaged (a message says so); 2 bad usage;",
            "3 there is no run, or the file cannot be written.",
        })
final class ExportCommand extends Subcommand {

    private static final int BUFFER = 1 << 18;

    @Parameters(arity = "0..1", paramLabel = "RUN_DIR", description = "A run folder. Default: runs/latest.")
    @Nullable
    Path named;

    @Option(names = "--format", paramLabel = "FORMAT", required = true, description = "Output format, e.g. csv.")
    String format;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "File to write, or - for standard output. Default: RUN_DIR/calls.FORMAT.")
    @Nullable
    Path out;

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            description =
                    "Only calls that ended in this part of the run: whole, peak, or FROM..TO after the start, such"
                            + " as 20s..50s.")
    @Nullable
    String window;

    @Mixin
    PluginOptions pluginOptions;

    /** A part of the run, in nanoseconds after its start. */
    private record Part(long from, long to) {}

    @Override
    public Integer call() throws Exception {
        MeasureRecord wanted = window == null ? null : ReportCommand.window(window);
        Path runDir = RunFolders.given(named, spec);
        try (PluginOptions.Loaded loaded = pluginOptions.load()) {
            RunCalls calls = RunCalls.of(runDir);
            ExportPlugin plugin = plugin(loaded);
            Part part = wanted == null ? new Part(Long.MIN_VALUE, Long.MAX_VALUE) : part(runDir, wanted);
            if (out != null && out.toString().equals("-")) {
                OutputStream stdout = new FileOutputStream(FileDescriptor.out);
                write(runDir, calls, plugin, part, stdout);
                stdout.flush();
                return ExitCode.DONE;
            }
            Path file = out == null ? runDir.resolve("calls." + plugin.id()) : out;
            RunCalls.Found found = writeFile(runDir, calls, plugin, part, file);
            PrintWriter print = stdout();
            print.println(String.format(Locale.ROOT, "%,d calls  %s", found.calls(), file));
            return ExitCode.DONE;
        }
    }

    private ExportPlugin plugin(PluginOptions.Loaded loaded) throws UsageException {
        List<ExportPlugin> all = loaded.plugins().exports().plugins();
        List<String> known = all.stream().map(ExportPlugin::id).toList();
        return all.stream()
                .filter(one -> one.id().equals(format))
                .findFirst()
                .orElseThrow(() -> new UsageException("--format: expected one of " + known + ", got '" + format + "'"
                        + Plugins.missing(format, known)));
    }

    private static Part part(Path runDir, MeasureRecord wanted) throws IOException {
        if (wanted.window().equals("whole")) {
            return new Part(Long.MIN_VALUE, Long.MAX_VALUE);
        }
        if (wanted.window().equals("range")) {
            return new Part(wanted.fromNanos(), wanted.toNanos());
        }
        Summary.Window peak =
                Analyzer.analyze(runDir, Analyzer.Options.AS_RECORDED).summary().peak();
        if (peak == null) {
            throw new IOException("--window peak: " + runDir
                    + " has no part in which all clients were active; use whole or FROM..TO");
        }
        return new Part(nanos(peak.fromSeconds()), nanos(peak.toSeconds()));
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * Duration.ofSeconds(1).toNanos());
    }

    private RunCalls.Found writeFile(Path runDir, RunCalls calls, ExportPlugin plugin, Part part, Path file)
            throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("--out: there is no folder " + folder + "; create it first");
        }
        RunCalls.Found[] found = new RunCalls.Found[1];
        AtomicFile.Content content = to -> found[0] = write(runDir, calls, plugin, part, to);
        if (out == null) {
            AtomicFile.write(file, content);
        } else {
            AtomicFile.writeThrough(file, content);
        }
        return found[0];
    }

    private RunCalls.Found write(Path runDir, RunCalls calls, ExportPlugin plugin, Part part, OutputStream to)
            throws IOException {
        OutputStream buffered = new BufferedOutputStream(to, BUFFER);
        RunCalls.Found found;
        try (CallExport export = plugin.begin(calls.exported(), buffered)) {
            found = calls.read(part.from(), part.to(), export);
        }
        buffered.flush();
        PrintWriter err = stderr();
        if (found.damaged() > 0) {
            err.println("Samples are damaged in " + Numbers.count(found.damaged(), "place")
                    + "; the calls there are skipped; for details: diperf verify " + runDir);
        }
        if (found.duplicates() > 0) {
            err.println(Numbers.count(found.duplicates(), "block") + " of samples arrived twice; duplicates were "
                    + "not written");
        }
        return found;
    }
}
