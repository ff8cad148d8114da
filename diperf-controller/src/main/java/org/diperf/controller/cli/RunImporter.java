package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.imports.RunImport;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.spi.CommandContext.Imported;
import org.diperf.core.spi.ImportedCalls;

/** Makes a run directory of what another program measured, and shows its numbers. Confined to one thread. */
final class RunImporter {

    private final Imported imported;
    private final PrintWriter out;
    private final PrintWriter documents;
    private final PrintWriter err;
    private final ImportProgress progress;

    RunImporter(Imported imported, PrintWriter out, PrintWriter err) {
        this.imported = imported;
        this.out = imported.json() ? err : out;
        this.documents = out;
        this.err = err;
        this.progress = new ImportProgress(this.out, Terminal.redraws(), NanoClock.SYSTEM);
    }

    /** Returns the exit code. */
    int run(ImportedCalls calls) throws IOException, UsageException, RunFailedException {
        Path folder = RunFolders.make(imported.out().orElse(null), imported.name(), Instant.now());
        RunImport.Imported read = read(calls, folder);
        if (imported.progress()) {
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
        out.println(String.format(Locale.ROOT, "%,d calls of %s", read.calls(), imported.file()));
        out.println();
        out.print(Reports.screen(analysis, folder.resolve("report.html").toString(), folder, "", false));
        out.flush();
        if (read.bad() > 0) {
            sayBad(read);
        }
        int code = Reports.exitCode(analysis, false);
        if (imported.json()) {
            documents.println(SummaryFile.json(ResultCommand.ofRun(folder, code)));
        }
        return code;
    }

    private RunImport.Imported read(ImportedCalls calls, Path folder) throws IOException, RunFailedException {
        try {
            return RunImport.read(
                    imported.file(),
                    calls,
                    folder,
                    imported.name(),
                    Version.diperf(),
                    imported.progress() ? progress : (rows, bytes, of) -> {});
        } catch (IOException e) {
            progress.end();
            RunFolders.removeIfEmpty(folder);
            DiskFailure failure = DiskFailure.of(e, folder);
            if (failure.isOfDisk()) {
                throw new RunFailedException(
                        "Could not import " + imported.file() + ": " + failure.found() + ". Nothing was imported; "
                                + failure.remedy() + ", then run the same command again",
                        e);
            }
            throw e;
        }
    }

    private void sayBad(RunImport.Imported read) {
        List<String> named = read.named();
        err.println(Numbers.count(read.bad(), "row") + " could not be read:");
        named.forEach(text -> err.println("  " + text));
        if (read.bad() > named.size()) {
            err.println("  and " + (read.bad() - named.size()) + " more");
        }
    }
}
