package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.analyzer.verify.Findings;
import org.diperf.analyzer.verify.Findings.Fault;
import org.diperf.analyzer.verify.Findings.SampleFile;
import org.diperf.analyzer.verify.RunRepair;
import org.diperf.analyzer.verify.RunVerifier;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.folder.FolderTree;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks a run directory, and repairs a copy of it. */
@Command(
        name = "verify",
        description = {
            "Checks the raw samples of a run (format, checksums, order, duplicates, gaps, calls that the plan does "
                    + "not allow) and cross-checks its files. Reports what is wrong, where, and "
                    + "how much is usable. Does not change the run.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf verify                                     the samples of runs/latest",
            "  diperf verify runs/latest --fix --out repaired    write a copy of the usable part, with its report",
            "",
            "Exit codes: 0 nothing is wrong, or the copy that --fix wrote is clean; 2 bad usage;",
            "3 something is wrong, or there is no run.",
        })
final class VerifyCommand extends ResultCommand {

    private static final int MAX_SHOWN = 20;

    @Parameters(arity = "0..1", paramLabel = "RUN_DIR", description = "A run folder. Default: runs/latest.")
    @Nullable
    Path named;

    @Option(
            names = "--fix",
            description = "Write a copy without the unusable parts, analyse it, and note in its report that it was "
                    + "repaired.")
    boolean fix;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "With --fix: folder for the copy. Default: RUN_DIR-repaired.")
    @Nullable
    Path out;

    @Override
    public Integer call() throws Exception {
        if (out != null && !fix) {
            throw new UsageException("--out requires --fix: verify alone writes nothing");
        }
        Path runDir = RunFolders.given(named, spec);
        Findings findings = RunVerifier.verify(runDir);
        print(runDir, findings);
        Map<String, Object> result = values(runDir, findings);
        int code = fix ? repair(runDir, result) : code(findings);
        result(result);
        return code;
    }

    private static int code(Findings findings) {
        return findings.isClean() ? ExitCode.DONE : ExitCode.NOT_CARRIED_OUT;
    }

    private static Map<String, Object> values(Path folder, Findings findings) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("folder", folder.toString());
        values.put("clean", findings.isClean());
        values.put("calls", findings.calls());
        values.put("files", findings.files());
        values.put("problems", findings.problems());
        values.put("notes", findings.notes());
        return values;
    }

    private int repair(Path runDir, Map<String, Object> result) throws Exception {
        Path to = RunFolders.make(out != null ? out : repaired(runDir), "", Instant.EPOCH);
        List<String> left;
        try {
            left = RunRepair.repair(runDir, to);
        } catch (IOException e) {
            // It was made for the copy, so that the same command can be given again.
            FolderTree.delete(to);
            throw DiskFailure.naming(to, e);
        }
        Analysis analysis = Analyzer.analyze(to, Analyzer.Options.AS_RECORDED);
        try {
            Reports.write(analysis, to, Reports.again(to));
        } catch (IOException e) {
            throw Reports.notWritten("of the completed copy", to, e);
        }
        Findings again = RunVerifier.verify(to);
        PrintWriter print = stdout();
        print.println();
        print.println("repaired  " + to + (left.isEmpty() ? "  nothing had to be omitted" : ""));
        left.forEach(text -> print.println("  - " + text));
        print(to, again);
        result.put("omitted", left);
        result.put("repaired", values(to, again));
        return code(again);
    }

    private static Path repaired(Path runDir) throws IOException {
        // A link such as runs/latest: the copy is named after the folder itself.
        Path folder = runDir.toRealPath();
        return folder.resolveSibling(folder.getFileName() + "-repaired");
    }

    private void print(Path folder, Findings findings) {
        PrintWriter print = stdout();
        TerminalFormat screen = Terminal.screen();
        for (SampleFile file : findings.files()) {
            print.println(String.format(
                    Locale.ROOT,
                    " %s  %,d of %,d bytes usable  %,d blocks  %,d calls  %,d observations",
                    file.name(),
                    file.usableBytes(),
                    file.bytes(),
                    file.blocks(),
                    file.calls(),
                    file.observations()));
            long shown = 0;
            for (Fault fault : file.faults()) {
                if (shown++ < MAX_SHOWN) {
                    print.println("   bytes " + fault.from() + " to " + fault.to() + ": " + fault.reason());
                }
            }
            long more = file.faults().size() + file.moreFaults() - Math.min(shown, MAX_SHOWN);
            if (more > 0) {
                print.println("   and " + more + " more byte ranges");
            }
        }
        findings.notes().forEach(note -> print.println(" note: " + note));
        findings.problems().forEach(problem -> print.println(" ! " + problem));
        print.println(String.format(
                Locale.ROOT,
                "%s  %s: %,d calls in %,d blocks are usable",
                findings.isClean() ? screen.green("CLEAN") : screen.red("DAMAGED"),
                folder,
                findings.calls(),
                findings.blocks()));
        print.flush();
    }
}
