package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a memory keeps on disk, also when it was killed in the middle. */
@Timeout(60)
class SeriesStoreTests {

    private static final String SERIES = "a:8060.latencyTcp.b:8060";

    @TempDir
    Path folder;

    private SeriesStore store() throws IOException {
        return new SeriesStore(folder, 5);
    }

    private static List<String> stored(SeriesStore store, int from, int to) throws IOException {
        List<String> newestFirst = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            assertThat(store.store(SERIES, i, List.of(State.record(i, i * 1.5))))
                    .isTrue();
            newestFirst.add(0, State.record(i, i * 1.5));
        }
        return newestFirst;
    }

    private Path file() {
        return folder.resolve(SeriesStore.fileName(SERIES));
    }

    @Test
    void theLatestComeFirstAndSurviveARestart() throws IOException {
        List<String> three = stored(store(), 1, 3);
        assertThat(store().fetch(SERIES, 0, 10)).isEqualTo(three);
        assertThat(store().fetch(SERIES, 0, 2)).isEqualTo(three.subList(0, 2));
        assertThat(store().fetch(SERIES, 2, 10)).isEqualTo(three.subList(0, 1));
        assertThat(store().fetch("another", 0, 10)).isNull();
    }

    @Test
    void onlySoManyAreKeptAndTheFileDoesNotGrow() throws IOException {
        SeriesStore store = store();
        List<String> all = stored(store, 1, 100);
        assertThat(store.fetch(SERIES, 0, 100)).isEqualTo(all.subList(0, 5));
        assertThat(Files.readAllLines(file())).hasSizeLessThanOrEqualTo(10);
        assertThat(store().fetch(SERIES, 0, 100)).isEqualTo(all.subList(0, 5));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void whereverACrashCutsTheFileTheWholeRecordsAreThereAndTheNextOnesToo() throws IOException {
        stored(store(), 1, 4);
        byte[] whole = Files.readAllBytes(file());
        for (int length = 0; length <= whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            Files.write(file(), cut);
            SeriesStore after = store();
            int complete = (int) new String(cut, StandardCharsets.ISO_8859_1)
                    .chars()
                    .filter(each -> each == '\n')
                    .count();
            List<String> kept = after.fetch(SERIES, 0, 10);
            assertThat(kept).as("cut at %d", length).hasSize(complete);
            after.store(SERIES, 9, List.of("9 9"));
            assertThat(store().fetch(SERIES, 0, 10)).hasSize(complete + 1).startsWith("9 9");
        }
    }

    @Test
    void aDamagedRecordAndWhatIsBehindItIsCutOff() throws IOException {
        stored(store(), 1, 4);
        byte[] whole = Files.readAllBytes(file());
        whole[whole.length / 4 + 15] ^= 1;
        Files.write(file(), whole);
        assertThat(store().fetch(SERIES, 0, 10)).containsExactly(State.record(1, 1.5));
    }

    @Test
    void aFileThatWasBeingWrittenAnewIsForgotten() throws IOException {
        List<String> three = stored(store(), 1, 3);
        Files.writeString(folder.resolve(SeriesStore.fileName(SERIES) + ".new"), "half");
        assertThat(store().fetch(SERIES, 0, 10)).isEqualTo(three);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void noNameLeavesTheFolder() throws IOException {
        SeriesStore store = store();
        for (String name : List.of("../../etc/passwd", "..", ".", "/etc/passwd", "a/b", "a%2fb", "con\\x", "é")) {
            assertThat(store.store(name, 1, List.of("1 1"))).isTrue();
            assertThat(store.fetch(name, 0, 1)).containsExactly("1 1");
        }
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).hasSize(8).allMatch(each -> folder.equals(each.getParent()));
        }
        assertThat(store().fetch("../../etc/passwd", 0, 1)).containsExactly("1 1");
    }

    @Test
    void aNameWhoseFileWouldBeTooLongIsRefused() throws IOException {
        assertThat(store().store(":".repeat(127), 1, List.of("1 1"))).isFalse();
    }

    @Test
    void aStateIsReadAsNwsSendsIt() {
        byte[] data = State.write(SERIES, 1.5, List.of("1 2", "33 44"));
        assertThat(data).hasSize(128 + 4 + 4 + 8 + 8 + 2 * 5);
        assertThat(data[128 + 3]).isEqualTo((byte) 5);
        assertThat(data[128 + 7]).isEqualTo((byte) 2);
        State state = State.read(data);
        assertThat(state).isEqualTo(new State(SERIES, 5, 2, 1.5, State.LONG_SECONDS));
        assertThat(state.records(data)).containsExactly("1 2", "33 44");
    }

    @Test
    void aStateThatSaysMoreThanThereIsIsRefused() {
        byte[] data = State.write(SERIES, 1.5, List.of("1 2", "33 44"));
        for (int at = 128; at < 136; at += 4) {
            for (byte high : new byte[] {(byte) 0x7f, (byte) 0xff, (byte) 0x80}) {
                byte[] changed = data.clone();
                changed[at] = high;
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> State.read(changed).records(changed));
            }
        }
        byte[] more = data.clone();
        more[135] = 3;
        assertThatIllegalArgumentException().isThrownBy(() -> State.read(more).records(more));
        assertThatIllegalArgumentException().isThrownBy(() -> State.read(new byte[10]));
        assertThatIllegalArgumentException().isThrownBy(() -> State.read(new byte[200]));
    }
}
