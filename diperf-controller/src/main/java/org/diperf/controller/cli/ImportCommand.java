package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.imports.Layout;
import org.diperf.analyzer.imports.RunImport;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.table.FinalTable;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.DiskFailure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a run directory of what another program measured. */
@Command(
        name = "import",
        description = {
            "Converts a CSV file of calls into a run directory that report, compare and export can use. "
                    + "Reads the output of diperf export, JMeter's JTL, and any CSV file with a header and columns "
                    + "for time and latency. Values that the file lacks are absent from the results, not zero.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf import results.jtl",
            "  diperf import calls.csv --out runs/yesterday",
            "  diperf import log.csv --columns time=timestamp,latency=took:ms,client=thread,code=status",
            "  diperf import log.tsv.gz --separator tab --no-header --columns time=1:s,latency=4:us,code=3",
            "",
            "Columns: time (since 1970 in s, ms, us or ns, or ISO 8601), latency, lag, outcome, success, code,",
            "client, request, target, bytes, tester. A column's unit (ns, us, ms, s) is the suffix of its name",
            "(took_ms) or given in --columns (latency=took:ms). Files compressed with gzip are read directly.",
            "",
            "Exit codes: 0 done, even if some rows could not be read (they are reported); 2 bad usage;",
            "3 no row could be read.",
        })
final class ImportCommand extends Subcommand {

    @Parameters(paramLabel = "FILE", description = "A CSV file, or a JMeter JTL file.")
    Path file;

    @Option(
            names = "--columns",
            paramLabel = "FIELD=COLUMN",
            split = ",",
            description = "Maps fields to columns whose names differ, e.g. latency=took:ms.")
    Map<String, String> columns = new LinkedHashMap<>();

    @Option(names = "--no-header", description = "The first row is a call, not a header; columns are named 1, 2, 3 ...")
    boolean noHeader;

    @Option(
            names = "--separator",
            paramLabel = "CHARACTER",
            description = "Field separator, e.g. ; or tab. Default: a comma.")
    String separator = ",";

    @Option(names = "--no-progress", description = "Print the result without progress.")
    boolean noProgress;

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the experiment. Default: the file's name.")
    @Nullable
    String name;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Run directory to write, new or empty. Default: runs/NAME-UTCTIME.")
    @Nullable
    Path out;

    @Override
    public Integer call() throws Exception {
        if (!Files.isRegularFile(file)) {
            throw new UsageException("Expected a CSV file, got " + (Files.exists(file) ? "none" : "nothing") + " at "
                    + file + "; specify the file that contains the calls");
        }
        Layout layout = new Layout(columns, !noHeader, separator());
        String called = name == null ? nameOf(file) : name;
        Path folder = RunFolders.make(out, called, Instant.now());
        PrintWriter print = stdout();
        ImportProgress progress = new ImportProgress(print, Terminal.redraws(), NanoClock.SYSTEM);
        RunImport.Imported imported = read(layout, folder, called, progress);
        if (!noProgress) {
            progress.phase("analysing");
        }
        Analysis analysis = Analyzer.analyze(folder, Analyzer.Options.AS_RECORDED);
        try {
            Reports.write(analysis, folder, Reports.again(folder));
        } catch (IOException e) {
            progress.end();
            throw Reports.notWritten("of the imported calls", folder, e);
        }
        progress.end();
        print.println(String.format(Locale.ROOT, "%,d calls of %s", imported.calls(), file));
        print.println();
        print.print(FinalTable.render(
                analysis, Terminal.screen(), folder.resolve("report.html").toString(), Reports.again(folder)));
        print.flush();
        if (imported.bad() > 0) {
            sayBad(imported);
        }
        return Reports.exitCode(analysis, false);
    }

    private RunImport.Imported read(Layout layout, Path folder, String called, ImportProgress progress)
            throws IOException, RunFailedException {
        try {
            return RunImport.read(
                    file, layout, folder, called, Version.diperf(), noProgress ? (rows, bytes, of) -> {} : progress);
        } catch (IOException e) {
            progress.end();
            RunFolders.removeIfEmpty(folder);
            DiskFailure failure = DiskFailure.of(e, folder);
            if (failure.isOfDisk()) {
                throw new RunFailedException(
                        "Could not import " + file + ": " + failure.found() + ". Nothing was imported; "
                                + failure.remedy() + ", then run the same command again",
                        e);
            }
            throw e;
        }
    }

    private char separator() throws UsageException {
        String character = separator.equals("tab") || separator.equals("\\t") ? "\t" : separator;
        if (character.length() != 1 || "\"\r\n".contains(character)) {
            throw new UsageException(
                    "--separator: expected a single character, e.g. ;, or the word tab, got '" + separator + "'");
        }
        return character.charAt(0);
    }

    private void sayBad(RunImport.Imported imported) {
        PrintWriter err = stderr();
        List<String> named = imported.named();
        err.println(Numbers.count(imported.bad(), "row") + " could not be read:");
        named.forEach(text -> err.println("  " + text));
        if (imported.bad() > named.size()) {
            err.println("  and " + (imported.bad() - named.size()) + " more");
        }
    }

    private static String nameOf(Path file) {
        String name = file.getFileName().toString().replaceFirst("\\.gz$", "").replaceFirst("\\.[A-Za-z0-9-]+$", "");
        String plain =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-").replaceAll("^-+|-+$", "");
        return plain.isEmpty() ? "import" : plain;
    }
}
