package org.diperf.analyzer.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.result.Analysis;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.run.Warning;
import org.diperf.core.sample.SampleReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is found in a run directory, and what a repaired copy is worth. */
@Timeout(120)
class VerifyTests {

    private static final int CALLS = 3_000;

    @TempDir
    Path work;

    private static RunFixture fixture() {
        return new RunFixture()
                .tester(1, 5_000_000_000L, 3)
                .tester(2, -70_000_000_000L, -8)
                .closed(4, 0, 40_000)
                .exchanges(40_000);
    }

    /** Two testers with {@link #CALLS} calls each, in small blocks that take turns, and a summary. */
    private static RunFixture filled() {
        RunFixture run = fixture();
        for (int i = 0; i < CALLS; i++) {
            double at = i * 12.5;
            run.call(1, i % 2 * 2, at, at + 0.1, at + 5 + i % 7, i % 50 == 0 ? "timeout" : "ok");
            run.call(2, i % 2 * 2 + 1, at, at + 0.1, at + 9 + i % 11, "ok");
            if (i % 100 == 99) {
                run.block(1).block(2);
            }
        }
        return run.observation(1, "tester.cpu", 1000, 0.5)
                .events(1, 0, 1_000, 20_000, 20_000)
                .says(1, CALLS)
                .says(2, CALLS);
    }

    private Path written(RunFixture run, String name) throws IOException {
        Path dir = run.write(work.resolve(name));
        Analyzer.write(Analyzer.analyze(dir, Analyzer.Options.AS_RECORDED), dir);
        return dir;
    }

    private static Analysis repaired(Path run, Path to) throws IOException {
        RunRepair.repair(run, Files.createDirectories(to));
        Analysis analysis = Analyzer.analyze(to, Analyzer.Options.AS_RECORDED);
        Analyzer.write(analysis, to);
        return analysis;
    }

    private static Path sampleFile(Path run) throws IOException {
        return SampleReader.files(run.resolve("samples")).get(0);
    }

    @Test
    void aSoundRunIsCleanAndEveryByteOfItsSamplesIsUsable() throws IOException {
        Findings found = RunVerifier.verify(written(filled(), "run"));

        assertThat(found.problems()).isEmpty();
        assertThat(found.calls()).isEqualTo(2 * CALLS);
        assertThat(found.files()).allSatisfy(file -> {
            assertThat(file.usableBytes()).isEqualTo(file.bytes());
            assertThat(file.faults()).isEmpty();
        });
        assertThat(found.files().stream()
                        .mapToLong(Findings.SampleFile::observations)
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void aDamagedBlockIsNamedWithItsOffsetsAndTheCallsThatItCosts() throws IOException {
        Path run = written(filled(), "run");
        Path file = sampleFile(run);
        byte[] bytes = Files.readAllBytes(file);
        bytes[8 + 100] ^= 1;
        Files.write(file, bytes);

        Findings found = RunVerifier.verify(run);

        assertThat(found.files().get(0).faults()).hasSize(1);
        Findings.Fault fault = found.files().get(0).faults().get(0);
        assertThat(fault.from()).isEqualTo(8);
        assertThat(fault.reason()).contains("expected checksum");
        assertThat(found.calls()).isEqualTo(2 * CALLS - 100);
        assertThat(found.problems())
                .anyMatch(text -> text.contains("tester 1: 1 block is missing"))
                .anyMatch(text -> text.contains("it reported sending 3,000 calls, but the samples contain 2,900"))
                .anyMatch(text -> text.contains("summary.json does not match the samples"));

        Analysis mended = repaired(run, work.resolve("mended"));
        assertThat(RunVerifier.verify(work.resolve("mended")).problems()).isEmpty();
        assertThat(mended.summary().calls().total()).isEqualTo(2 * CALLS - 100);
        assertThat(mended.summary().verdict()).isEqualTo("suspect");
        assertThat(mended.summary().warnings())
                .extracting(Warning::text)
                .anyMatch(
                        text -> text.startsWith("samples were repaired: 1 section that could not be used was skipped"));
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }

    @Test
    void aTailThatWasCutOffIsFoundAndDropped() throws IOException {
        Path run = written(filled(), "run");
        List<Path> files = SampleReader.files(run.resolve("samples"));
        Path last = files.get(files.size() - 1);
        byte[] bytes = Files.readAllBytes(last);
        Files.write(last, Arrays.copyOf(bytes, bytes.length - 5));

        Findings found = RunVerifier.verify(run);

        assertThat(found.files().get(files.size() - 1).faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.reason()).contains("up to the end of the file", "truncated"));
        repaired(run, work.resolve("mended"));
        assertThat(RunVerifier.verify(work.resolve("mended")).problems()).isEmpty();
    }

    @Test
    void blocksThatCameTwiceAreFoundAndKeptOnce() throws IOException {
        Path run = written(filled().again(1), "run");

        Findings found = RunVerifier.verify(run);

        assertThat(found.problems()).anyMatch(text -> text.contains("1 block arrived twice"));
        Analysis mended = repaired(run, work.resolve("mended"));
        assertThat(RunVerifier.verify(work.resolve("mended")).isClean()).isTrue();
        assertThat(mended.summary().calls().total()).isEqualTo(2 * CALLS);
        assertThat(mended.summary().warnings())
                .extracting(Warning::text)
                .anyMatch(text -> text.contains("arrived twice was kept once"));
    }

    @Test
    void blocksThatAreMissingAreFoundByTheirNumbersAndStayMissingInTheCopy() throws IOException {
        Path run = written(
                fixture()
                        .call(1, 0, 0, 0, 5, "ok")
                        .gap(1)
                        .call(1, 0, 10, 10, 15, "ok")
                        .call(2, 1, 0, 0, 5, "ok")
                        .says(1, 3)
                        .says(2, 1),
                "run");

        assertThat(RunVerifier.verify(run).problems())
                .containsExactly(
                        "tester 1: 1 block is missing, according to their numbers",
                        "tester 1: it reported sending 3 calls, but the samples contain 2");
        Analysis mended = repaired(run, work.resolve("mended"));
        assertThat(RunVerifier.verify(work.resolve("mended")).problems()).isEmpty();
        assertThat(mended.summary().verdict()).isEqualTo("suspect");
        assertThat(mended.summary().warnings())
                .extracting(Warning::text)
                .anyMatch(text -> text.contains("1 block of tester 1 is permanently missing"));
    }

    @Test
    void samplesThatAreGoneAreFoundByWhatTestersSayTheySent() throws IOException {
        Path run = written(filled(), "run");
        Files.delete(sampleFile(run));

        assertThat(RunVerifier.verify(run).problems())
                .contains("tester 1: it reported sending 3,000 calls, but the samples contain 0")
                .contains("tester 2: it reported sending 3,000 calls, but the samples contain 0");
        repaired(run, work.resolve("mended"));
        assertThat(RunVerifier.verify(work.resolve("mended")).problems()).isEmpty();
    }

    @Test
    void samplesOfAnotherRunAreFoundAndLeftOut() throws IOException {
        Path run = written(filled(), "run");
        Path other = new RunFixture()
                .tester(1, 5_000_000_000L - 600_000_000_000L, 3)
                .closed(4, 0, 40_000)
                .call(1, 0, 1000, 1000, 1005, "ok")
                .gap(1)
                .write(work.resolve("other"));
        Files.copy(sampleFile(other), run.resolve("samples/900000.dps"));

        Findings found = RunVerifier.verify(run);

        Findings.SampleFile strange = found.files().get(found.files().size() - 1);
        assertThat(strange.usableBytes()).isEqualTo(8);
        // Its number was seen: the block is either one that arrived before or none of this run.
        assertThat(strange.faults().size() + strange.duplicates()).isEqualTo(1);
        assertThat(found.isClean()).isFalse();
        Analysis mended = repaired(run, work.resolve("mended"));
        assertThat(RunVerifier.verify(work.resolve("mended")).problems()).isEmpty();
        assertThat(mended.summary().calls().total()).isEqualTo(2 * CALLS);
    }

    @Test
    void samplesUnderTheRecordOfAnotherRunAreFound() throws IOException {
        Path run = new RunFixture()
                .tester(1, 5_000_000_000L - 600_000_000_000L, 3)
                .closed(4, 0, 40_000)
                .exchanges(40_000)
                .call(1, 0, 1000, 1000, 1005, "ok")
                .write(work.resolve("run"));
        Path other = fixture().call(1, 0, 1000, 1000, 1005, "ok").write(work.resolve("other"));
        Files.copy(sampleFile(other), sampleFile(run), StandardCopyOption.REPLACE_EXISTING);

        assertThat(RunVerifier.verify(run).files().get(0).faults())
                .singleElement()
                .satisfies(fault ->
                        assertThat(fault.reason()).contains("expected a call within the run", "from a different run"));
    }

    @Test
    void withoutExchangesTheClocksAreSaidToBeUnknownForGood() throws IOException {
        Path run = written(filled(), "run");
        Files.delete(run.resolve("clock.csv"));

        assertThat(RunVerifier.verify(run).problems())
                .contains("clock.csv: expected exchanges with tester 1, got none: its clock is unknown")
                .contains("clock.csv: expected exchanges with tester 2, got none: its clock is unknown");
        Analysis mended = repaired(run, work.resolve("mended"));
        Findings again = RunVerifier.verify(work.resolve("mended"));
        assertThat(again.problems()).isEmpty();
        assertThat(again.notes()).anyMatch(text -> text.endsWith("its clock is unknown, as recorded by the repair"));
        assertThat(mended.summary().verdict()).isEqualTo("suspect");
        assertThat(mended.summary().warnings())
                .extracting(Warning::text)
                .anyMatch(text -> text.contains("no clock exchange with testers [1, 2] was recorded"));
    }

    @Test
    void whatMonitorsSawIsCheckedAndCopiedToo() throws IOException {
        Path run = written(
                filled().monitor("box", "host")
                        .watched("gauge memory [bytes]", 1000, 5)
                        .watched("gauge memory [bytes]", 2000, 6),
                "run");
        assertThat(RunVerifier.verify(run).problems()).isEmpty();
        Path file = SampleReader.files(run.resolve("monitors")).get(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 3] ^= 4;
        Files.write(file, bytes);

        assertThat(RunVerifier.verify(run).problems())
                .singleElement()
                .satisfies(text -> assertThat(text).startsWith("monitors/").contains("1 section cannot be used"));
        repaired(run, work.resolve("mended"));
        Findings again = RunVerifier.verify(work.resolve("mended"));
        assertThat(again.problems()).isEmpty();
        assertThat(again.files())
                .anySatisfy(one -> assertThat(one.name()).startsWith("monitors/"))
                .extracting(Findings.SampleFile::observations)
                .contains(1L);
    }

    @Test
    void callsThatThePlanCannotHaveMadeAreFound() throws IOException {
        Path beyond = written(
                fixture().call(1, 0, 0, 0, 5, "ok").call(2, 9, 0, 0, 5, "ok").block(2), "beyond");
        Path early = written(
                fixture()
                        .call(1, 0, 0, 0, 5, "ok")
                        .call(2, 1, -5000, -5000, -4000, "ok")
                        .block(2),
                "early");

        assertThat(RunVerifier.verify(beyond).files().get(0).faults())
                .singleElement()
                .satisfies(fault ->
                        assertThat(fault.reason()).contains("expected the number of a client to be below 4", "got 9"));
        assertThat(RunVerifier.verify(early).files().get(0).faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.reason()).contains("expected a call within the run"));
    }

    @Test
    void aSummaryThatDoesNotBelongToTheSamplesIsFound() throws IOException {
        Path run = written(filled(), "run");
        Path summary = run.resolve("summary.json");
        Files.writeString(summary, Files.readString(summary).replaceFirst("\"ok\" : 5940", "\"ok\" : 5941"));

        assertThat(RunVerifier.verify(run).problems())
                .singleElement()
                .satisfies(text -> assertThat(text).contains("calls.ok: expected 5940", "got 5941"));
    }

    @Test
    void linesOfTheClockFileThatCannotBeReadAreFoundAndLeftOut() throws IOException {
        Path run = written(filled(), "run");
        Path clock = run.resolve("clock.csv");
        byte[] bytes = Files.readAllBytes(clock);
        bytes[bytes.length - 3] = (byte) 0xFF;
        Files.write(clock, bytes);

        assertThat(RunVerifier.verify(run).problems()).anyMatch(text -> text.contains("1 line cannot be read"));
        repaired(run, work.resolve("mended"));
        assertThat(RunVerifier.verify(work.resolve("mended")).isClean()).isTrue();
    }

    @Test
    void whateverHappensToTheBytesIsFoundAndRepaired() throws IOException {
        long seed = Long.getLong("diperf.seed", System.nanoTime());
        Random random = new Random(seed);
        Path run = written(filled(), "run");
        Path file = sampleFile(run);
        byte[] sound = Files.readAllBytes(file);
        int rounds = Integer.getInteger("diperf.fuzz.rounds", 60);
        for (int round = 0; round < rounds; round++) {
            byte[] mutated = mutated(sound, random);
            Files.write(file, mutated);
            String what = "seed " + seed + " round " + round;

            Findings found = RunVerifier.verify(run);

            if (Arrays.equals(mutated, sound)) {
                assertThat(found.problems()).as(what).isEmpty();
                continue;
            }
            Findings.SampleFile of = found.files().get(0);
            // Whole blocks may stand in any order.
            boolean onlyOrder = mutated.length == sound.length && of.usableBytes() == sound.length;
            assertThat(found.isClean()).as("%s %s", what, found.problems()).isEqualTo(onlyOrder);
            if (round % 4 == 0 && found.calls() > 0) {
                Path to = work.resolve("mended-" + round);
                repaired(run, to);
                assertThat(RunVerifier.verify(to).problems()).as(what).isEmpty();
                assertThat(RunVerifier.verify(to).calls()).as(what).isEqualTo(found.calls());
                FolderTree.delete(to);
            }
        }
    }

    /** Flips bits, cuts, swaps, repeats, removes, overwrites or inserts. */
    private static byte[] mutated(byte[] sound, Random random) {
        byte[] bytes = sound.clone();
        int at = random.nextInt(bytes.length);
        int length = 1 + random.nextInt(Math.min(5_000, bytes.length - at));
        switch (random.nextInt(7)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> {
                for (int i = 0; i < 20; i++) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
                }
            }
            case 2 -> bytes = Arrays.copyOf(bytes, at);
            case 3 -> Arrays.fill(bytes, at, at + length, (byte) random.nextInt(256));
            case 4 -> bytes = spliced(bytes, at, at + length, new byte[0]);
            case 5 -> bytes = spliced(bytes, at, at, Arrays.copyOfRange(sound, at, at + length));
            default -> {
                List<Integer> begins = blocks(sound);
                int one = begins.get(random.nextInt(begins.size() - 2));
                int other = begins.get(begins.indexOf(one) + 1);
                int end = begins.get(begins.indexOf(one) + 2);
                byte[] swapped = spliced(sound, one, end, Arrays.copyOfRange(sound, other, end));
                bytes = spliced(swapped, one + end - other, one + end - other, Arrays.copyOfRange(sound, one, other));
            }
        }
        return bytes;
    }

    private static byte[] spliced(byte[] bytes, int from, int to, byte[] with) {
        byte[] spliced = Arrays.copyOf(bytes, bytes.length - (to - from) + with.length);
        System.arraycopy(with, 0, spliced, from, with.length);
        System.arraycopy(bytes, to, spliced, from + with.length, bytes.length - to);
        return spliced;
    }

    private static List<Integer> blocks(byte[] file) {
        List<Integer> begins = new ArrayList<>();
        for (int i = 0; i + 4 <= file.length; i++) {
            if (file[i] == 'D' && file[i + 1] == 'P' && file[i + 2] == 'B' && file[i + 3] == '1') {
                begins.add(i);
            }
        }
        return begins;
    }
}
