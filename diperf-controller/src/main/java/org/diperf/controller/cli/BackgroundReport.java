package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.controller.testbed.DetachedProcess;
import org.diperf.core.machine.LocalMachine;

/**
 * Completes the report of a run after its command has ended, because nobody who waits for the numbers waits for the figures. It does so in a
 * process of its own, which begins here.
 */
final class BackgroundReport {

    private static final TerminalFormat PAGE = new TerminalFormat(false, 120);
    /** An analysis that takes so much longer than figures is not done twice. */
    private static final long LONG_NANOS = 5_000_000_000L;

    private BackgroundReport() {}

    /**
     * Returns whether somebody waits at a terminal, and another process may go on when this one has ended.
     *
     * @param analysisNanos what that process would need first, to analyse the run again
     */
    static boolean isPossible(long analysisNanos) {
        ProcessHandle self = ProcessHandle.current();
        // A container ends with its first process, and what is at hand to watch it.
        boolean endsAll = self.pid() == 1
                || self.parent().filter(parent -> parent.pid() == 1).isPresent();
        // The classes that it draws with belong into the archive too; a debugger has one process.
        return Terminal.isOutput()
                && analysisNanos < LONG_NANOS
                && !endsAll
                && !FastStart.listsClasses()
                && LocalMachine.jvmFlags().stream().noneMatch(flag -> flag.startsWith("-agent"));
    }

    /** Writes a page in the report's place, and starts what completes it. */
    static void begin(Analysis analysis, Path folder, String again) throws IOException {
        String table =
                SummaryTable.render(analysis, PAGE, Reports.shown(folder, true).toString(), again, false);
        Report.begin(analysis, folder, table, Invocation.command("report", folder));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LocalMachine.jvmFlags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BackgroundReport.class.getName()));
        command.addAll(List.of(folder.toString(), again));
        try {
            DetachedProcess.start(command);
        } catch (IOException e) {
            // Without what starts it.
            Report.write(analysis, folder, again);
        }
    }

    /**
     * Completes a report.
     *
     * @param args the folder of the run, and the command that repeats it
     */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Report.complete(Analyzer.analyze(folder, Analyzer.Options.AS_RECORDED), folder, args[1]);
    }
}
