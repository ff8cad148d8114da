package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.TerminalFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists the runs on the disk. */
@Command(
        name = "runs",
        description = {
            "Lists the runs in a folder, newest first: name, start in UTC, length, calls, verdict and size. A set "
                    + "of runs (sweep, variants or trials) is shown on one line.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf runs",
            "  diperf runs /data/runs",
            "  diperf runs rm orders-20261123T101500Z",
            "",
            "Exit codes: 0 done, even if there are none; 2 bad usage.",
        },
        subcommands = RunsRemoveCommand.class)
final class RunsCommand extends ResultCommand {

    private static final int ROOM_FOR_START = 80;
    /** Its place among the headings. */
    private static final int START = 1;

    private static final List<String> HEADINGS = List.of("run", "start (UTC)", "length", "calls", "size", "verdict");

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "Folder that contains the run folders. Default: runs.")
    Path dir = RunFolders.RUNS;

    @Override
    public Integer call() throws UsageException, IOException {
        PrintWriter out = stdout();
        if (!Files.isDirectory(dir)) {
            if (dir.equals(RunFolders.RUNS)) {
                out.println("No runs here yet; start the first with: diperf run");
                return listed(List.of());
            }
            throw new UsageException("runs: no folder " + dir + "; specify one that contains run folders");
        }
        List<StoredRun> runs = StoredRun.in(dir);
        if (runs.isEmpty()) {
            out.println("No runs in " + dir + "; start one with: diperf run");
            return listed(List.of());
        }
        TerminalFormat screen = Terminal.screen();
        // Where there is little room it can be left out: most names end with it.
        boolean hasStart = screen.width() >= ROOM_FOR_START;
        List<List<String>> rows = new ArrayList<>(List.of(cells(HEADINGS, hasStart)));
        long bytes = 0;
        for (StoredRun run : runs) {
            long size = run.bytes();
            bytes += size;
            rows.add(cells(row(run, size), hasStart));
        }
        StringBuilder table = new StringBuilder();
        screen.table(rows, 1, table);
        out.print(table);
        out.println();
        out.println(" " + Numbers.count(runs.size(), "run") + ", " + Numbers.bytes(bytes));
        return listed(runs);
    }

    private int listed(List<StoredRun> runs) throws IOException {
        List<Map<String, Object>> values = new ArrayList<>();
        for (StoredRun run : runs) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put("folder", run.folder().toString());
            value.put("name", run.name());
            value.put("startedAt", run.startedAt());
            value.put("seconds", run.seconds());
            value.put("calls", run.calls() < 0 ? null : run.calls());
            value.put("runs", run.runs() == 0 ? null : run.runs());
            value.put("bytes", run.bytes());
            value.put("verdict", run.verdict());
            values.add(value);
        }
        result(Map.of("runs", values));
        return ExitCode.DONE;
    }

    private static List<String> cells(List<String> row, boolean hasStart) {
        List<String> cells = new ArrayList<>(row);
        if (!hasStart) {
            cells.remove(START);
        }
        return cells;
    }

    private static List<String> row(StoredRun run, long bytes) {
        String start = run.startedAt();
        return List.of(
                String.valueOf(run.folder().getFileName()),
                start == null ? Numbers.NONE : start.replace('T', ' ').replaceFirst("(?<=:[0-9]{2}):.*", ""),
                Numbers.clock(run.seconds()),
                run.calls() < 0 ? Numbers.NONE : Numbers.count(run.calls()),
                Numbers.bytes(bytes),
                run.verdict() + (run.runs() == 0 ? "" : " (" + Numbers.count(run.runs(), "run") + ")"));
    }
}
