package org.diperf.analyzer.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.verify.FileCheck.OfTester;
import org.diperf.analyzer.verify.Findings.SampleFile;
import org.diperf.core.run.OriginRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.sample.SampleReader;
import org.jspecify.annotations.Nullable;

/** Checks a run directory: its samples byte by byte, and its files against one another. Only reads. */
public final class RunVerifier {

    private final Path runDir;
    private final List<SampleFile> files = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private RunVerifier(Path runDir) {
        this.runDir = runDir;
    }

    /**
     * Checks a run directory.
     *
     * @throws IOException when the disk fails; what is wrong in the directory is among the findings
     */
    public static Findings verify(Path runDir) throws IOException {
        return new RunVerifier(runDir).findings();
    }

    private Findings findings() throws IOException {
        RunRecord run;
        try {
            run = RunJson.read(runDir.resolve(RunFiles.RUN));
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
            return new Findings(files, problems, notes);
        }
        if (run.end() == End.UNDER_WAY) {
            notes.add("the run record was never closed: the run is still running, or its controller was killed");
        }
        OriginRecord origin = run.origin();
        if (origin != null) {
            notes.add("the samples were " + origin.kind() + " from " + origin.from());
        }
        ClockFile clocks = clocks(run);
        FileCheck check = new FileCheck(new BlockCheck(run, clocks));
        Path samples = runDir.resolve(RunFiles.SAMPLES);
        if (Files.isDirectory(samples)) {
            for (Path file : SampleReader.files(samples)) {
                files.add(check.check(file, bytes -> {}));
            }
        } else if (run.testers().stream().anyMatch(tester -> tester.sent() > 0)) {
            problems.add("expected the folder " + RunFiles.SAMPLES + " with the testers' calls, got none");
        }
        Path seen = runDir.resolve(RunFiles.MONITORS);
        if (run.monitors() != null && Files.isDirectory(seen)) {
            FileCheck monitors = new FileCheck(BlockCheck.ofMonitors(run));
            for (Path file : SampleReader.files(seen)) {
                files.add(monitors.check(file, bytes -> {}));
            }
        }
        judgeFiles();
        for (TesterRecord tester : run.testers()) {
            judge(tester, check.testers(), origin);
        }
        new SummaryCheck(runDir).check(problems, notes);
        return new Findings(files, problems, notes);
    }

    private ClockFile clocks(RunRecord run) throws IOException {
        Path file = runDir.resolve(RunFiles.CLOCK);
        ClockFile clocks;
        try {
            clocks = ClockFile.read(file);
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
            return ClockFile.none();
        }
        if (clocks.unreadable() > 0) {
            problems.add(RunFiles.CLOCK + ": " + Numbers.count(clocks.unreadable(), "line") + " cannot be read");
        }
        if (clocks.unusable() > 0) {
            notes.add(RunFiles.CLOCK + ": " + Numbers.count(clocks.unusable(), "exchange")
                    + " with time servers that cannot be related to the controller's clock");
        }
        if (run.cameByImport()) {
            return clocks;
        }
        for (int tester : unknown(run, clocks)) {
            String text =
                    RunFiles.CLOCK + ": expected exchanges with tester " + tester + ", got none: its clock is unknown";
            if (run.lacks(OriginRecord.CLOCKS)) {
                notes.add(text + ", as recorded by the repair");
            } else {
                problems.add(text);
            }
        }
        return clocks;
    }

    /** Lists the testers that called and whose clocks nothing tells. */
    static List<Integer> unknown(RunRecord run, ClockFile clocks) {
        return run.testers().stream()
                .filter(tester -> tester.started() && tester.sent() > 0 && clocks.corridor(tester.number()) == null)
                .map(TesterRecord::number)
                .toList();
    }

    private void judgeFiles() {
        for (SampleFile file : files) {
            long faults = file.faults().size() + file.moreFaults();
            if (faults > 0) {
                problems.add(file.name() + ": " + Numbers.count(faults, "section")
                        + " cannot be used; usable: " + file.usableBytes() + " of " + file.bytes() + " bytes, "
                        + Numbers.count(file.calls(), "call"));
            }
            if (file.duplicates() > 0) {
                problems.add(file.name() + ": " + Numbers.count(file.duplicates(), "block")
                        + " arrived twice; counted once");
            }
        }
    }

    private void judge(TesterRecord tester, Map<Integer, OfTester> testers, @Nullable OriginRecord origin) {
        OfTester found = testers.get(tester.number());
        Long left = origin == null ? null : origin.missingBlocks().get(tester.number());
        long missing = found == null ? 0 : found.numbers.missing();
        if (missing > 0) {
            String text = "tester " + tester.number() + ": " + Numbers.count(missing, "block")
                    + (missing == 1 ? " is" : " are") + " missing, according to their numbers";
            if (left != null && missing <= left) {
                notes.add(text + ", as recorded by the repair");
            } else {
                problems.add(text);
            }
        }
        long sent = found == null ? 0 : found.sent;
        if (tester.sent() > sent) {
            String text = "tester " + tester.number() + ": it reported sending " + Numbers.count(tester.sent(), "call")
                    + ", but the samples contain " + Numbers.count(sent);
            if (left != null) {
                notes.add(text + ", as recorded by the repair");
            } else {
                problems.add(text);
            }
        }
        if (found != null && found.outOfOrder > 0) {
            notes.add("tester " + tester.number() + ": " + Numbers.count(found.outOfOrder, "block")
                    + " arrived out of order, e.g. after a reconnect");
        }
    }
}
