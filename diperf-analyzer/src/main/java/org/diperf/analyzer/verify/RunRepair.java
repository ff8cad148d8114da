package org.diperf.analyzer.verify;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.verify.Findings.SampleFile;
import org.diperf.core.run.OriginRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Severity;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleWriter;

/** Makes a copy of a run directory that holds what can be used, and says in it what was left out. */
public final class RunRepair {

    private static final List<String> COPIED = List.of("experiment.yml", "run.log");

    private RunRepair() {}

    /**
     * Writes samples, {@code run.json}, {@code clock.csv}, the experiment and the logs; the report is to be made of them.
     *
     * @param to an empty folder
     * @return what was left out, in words
     * @throws IOException when there is not a run record, or the disk fails
     */
    public static List<String> repair(Path runDir, Path to) throws IOException {
        RunRecord run = RunJson.read(runDir.resolve(RunFiles.RUN));
        ClockFile clocks = clocks(runDir, to);
        FileCheck check = new FileCheck(new BlockCheck(run, clocks));
        List<SampleFile> files = new ArrayList<>();
        Files.createDirectories(to.resolve(RunFiles.SAMPLES));
        copySamples(runDir, to, RunFiles.SAMPLES, check, files);
        if (run.monitors() != null) {
            copySamples(runDir, to, RunFiles.MONITORS, new FileCheck(BlockCheck.ofMonitors(run)), files);
        }
        Map<Integer, Long> missing = missing(run, check);
        List<Integer> unknown = RunVerifier.unknown(run, clocks);
        List<String> said = said(files, clocks, missing, run.cameByImport() ? List.of() : unknown);
        boolean loses = loses(files) || missing.values().stream().anyMatch(count -> count > 0);
        List<Warning> warnings = new ArrayList<>(run.warnings());
        said.forEach(text -> warnings.add(new Warning(
                loses ? Severity.SUSPECT : Severity.NOTE, Subject.SAMPLES, "samples were repaired: " + text)));
        RunJson.write(to.resolve(RunFiles.RUN), run.with(warnings, origin(run, runDir, missing, !unknown.isEmpty())));
        for (String name : COPIED) {
            if (Files.isRegularFile(runDir.resolve(name))) {
                Files.copy(runDir.resolve(name), to.resolve(name));
            }
        }
        copyLogs(runDir.resolve("logs"), to.resolve("logs"));
        return said;
    }

    private static String were(long count) {
        return count == 1 ? " was" : " were";
    }

    private static void copySamples(Path runDir, Path to, String folder, FileCheck check, List<SampleFile> files)
            throws IOException {
        Path from = runDir.resolve(folder);
        if (!Files.isDirectory(from)) {
            return;
        }
        Path kept = Files.createDirectories(to.resolve(folder));
        for (Path file : SampleReader.files(from)) {
            try (OutputStream out = Files.newOutputStream(
                            kept.resolve(file.getFileName().toString()));
                    WritableByteChannel channel = Channels.newChannel(out)) {
                out.write(SampleWriter.header());
                files.add(check.check(file, channel::write));
            }
        }
    }

    private static Map<Integer, Long> missing(RunRecord run, FileCheck check) {
        Map<Integer, Long> missing = new LinkedHashMap<>();
        for (TesterRecord tester : run.testers()) {
            FileCheck.OfTester found = check.testers().get(tester.number());
            missing.put(tester.number(), found == null ? 0 : found.numbers.missing());
        }
        return missing;
    }

    private static boolean loses(List<SampleFile> files) {
        return files.stream().anyMatch(file -> !file.faults().isEmpty());
    }

    private static List<String> said(
            List<SampleFile> files, ClockFile clocks, Map<Integer, Long> missing, List<Integer> unknown) {
        long faults = files.stream()
                .mapToLong(file -> file.faults().size() + file.moreFaults())
                .sum();
        long duplicates = files.stream().mapToLong(SampleFile::duplicates).sum();
        long bytes = files.stream()
                .mapToLong(file -> file.bytes() - file.usableBytes())
                .sum();
        List<String> said = new ArrayList<>();
        if (faults > 0) {
            said.add(Numbers.count(faults, "section") + " that could not be used" + were(faults) + " skipped, "
                    + Numbers.count(bytes, "byte") + " including duplicates");
        }
        if (duplicates > 0) {
            said.add(Numbers.count(duplicates, "block") + " that arrived twice" + were(duplicates) + " kept once");
        }
        if (clocks.unreadable() > 0) {
            said.add(Numbers.count(clocks.unreadable(), "line") + " of " + RunFiles.CLOCK + " that could not be read"
                    + were(clocks.unreadable()) + " skipped");
        }
        missing.forEach((tester, count) -> {
            if (count > 0) {
                said.add(Numbers.count(count, "block") + " of tester " + tester + (count == 1 ? " is" : " are")
                        + " permanently missing");
            }
        });
        if (!unknown.isEmpty()) {
            said.add("no clock exchange with testers " + unknown + " was recorded, so their times are relative to "
                    + "when each was instructed to start");
        }
        return said;
    }

    private static OriginRecord origin(RunRecord run, Path runDir, Map<Integer, Long> missing, boolean clockless) {
        OriginRecord before = run.origin();
        Set<String> absent = new LinkedHashSet<>(before == null ? List.of() : before.absent());
        if (clockless && !run.cameByImport()) {
            absent.add(OriginRecord.CLOCKS);
        }
        return new OriginRecord(
                before == null ? OriginRecord.REPAIRED : before.kind(),
                before == null ? runDir.toAbsolutePath().normalize().toString() : before.from(),
                List.copyOf(absent),
                missing);
    }

    /** Copies the lines that can be read. */
    private static ClockFile clocks(Path runDir, Path to) throws IOException {
        Path file = runDir.resolve(RunFiles.CLOCK);
        if (!Files.isRegularFile(file)) {
            return ClockFile.none();
        }
        return ClockFile.copyReadable(file, to.resolve(RunFiles.CLOCK));
    }

    private static void copyLogs(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        Files.createDirectories(to);
        try (Stream<Path> logs = Files.list(from)) {
            for (Path log : logs.filter(Files::isRegularFile).toList()) {
                Files.copy(log, to.resolve(log.getFileName().toString()));
            }
        }
    }
}
