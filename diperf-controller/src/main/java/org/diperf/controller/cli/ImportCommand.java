package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.diperf.analyzer.Analysis;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.imports.RunImport;
import org.diperf.analyzer.text.FinalTable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a run directory of what another program measured. */
@Command(
        name = "import",
        description = {
            "Makes a run directory of a CSV file of calls: what diperf export wrote, what JMeter writes (JTL), or any with"
                    + " a header and a column each for the time and the latency. Report, compare and export then work on"
                    + " it. What the file does not say is absent, not zero.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf import results.jtl",
            "  diperf import calls.csv --out runs/yesterday",
            "  diperf import log.csv --columns time=timestamp,latency=took:ms,client=thread,code=status",
            "",
            "Columns: time (since 1970 in s, ms, us or ns, or ISO 8601), latency, lag, outcome, success, code, client,",
            "request, target, bytes, tester. A unit ends a column's name (took_ms) or is told (latency=took:ms).",
            "Exit codes: 0 done, also when rows could not be read (which are named); 2 bad usage; 3 no row could be read.",
        })
final class ImportCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "A CSV file with a header.")
    Path file;

    @Option(
            names = "--columns",
            paramLabel = "FIELD=COLUMN",
            split = ",",
            description = "Which column says what, where its name does not tell, such as latency=took:ms.")
    Map<String, String> columns = new LinkedHashMap<>();

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the experiment; by default the file's.")
    @Nullable
    String name;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The run directory, new or empty; by default runs/NAME-UTCTIME.")
    @Nullable
    Path out;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (!Files.isRegularFile(file)) {
            throw new UsageException("Wanted a CSV file, found " + (Files.exists(file) ? "none" : "nothing") + " at "
                    + file + "; name the file that holds the calls");
        }
        String called = name == null ? nameOf(file) : name;
        Path folder = RunFolders.make(out, called, Instant.now());
        RunImport.Imported imported = RunImport.read(file, columns, folder, called, Version.diperf());
        Analysis analysis = Analyzer.analyze(folder, Analyzer.Options.AS_RECORDED);
        Reports.write(analysis, folder, "diperf report " + folder);
        PrintWriter print = spec.commandLine().getOut();
        print.println(String.format(Locale.ROOT, "%,d calls of %s", imported.calls(), file));
        print.println();
        print.print(FinalTable.render(
                analysis, Terminal.colours(), folder.resolve("report.html").toString(), "diperf report " + folder));
        print.flush();
        if (imported.bad() > 0) {
            sayBad(imported);
        }
        return Reports.exitCode(analysis, false);
    }

    private void sayBad(RunImport.Imported imported) {
        PrintWriter err = spec.commandLine().getErr();
        List<String> named = imported.named();
        err.println(imported.bad() + " rows could not be read:");
        named.forEach(text -> err.println("  " + text));
        if (imported.bad() > named.size()) {
            err.println("  and " + (imported.bad() - named.size()) + " more");
        }
    }

    private static String nameOf(Path file) {
        String name = file.getFileName().toString().replaceFirst("\\.[A-Za-z0-9-]+$", "");
        String plain =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-").replaceAll("^-+|-+$", "");
        return plain.isEmpty() ? "import" : plain;
    }
}
