package org.diperf.tester.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JvmCountersTests {

    private static final int HEADER = 32;

    @TempDir
    private Path folder;

    private final ByteBuffer file = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

    private JvmCounters written() throws IOException {
        return JvmCounters.of(Files.write(folder.resolve("counters"), file.array()));
    }

    private void begin(int entries) {
        file.order(ByteOrder.BIG_ENDIAN).putInt(0, 0xcafec0c0).order(ByteOrder.LITTLE_ENDIAN);
        file.put(4, (byte) 1).putInt(24, HEADER).putInt(28, entries).position(HEADER);
    }

    private void counter(String name, long value) {
        int at = file.position();
        int valueAt = 20 + (name.length() + 8) / 8 * 8 + 4;
        file.putInt(at, valueAt + 8).putInt(at + 4, 20).put(at + 12, (byte) 'J').putInt(at + 16, valueAt);
        file.put(at + 20, name.getBytes(StandardCharsets.US_ASCII)).putLong(at + valueAt, value);
        file.position(at + valueAt + 8);
    }

    @Test
    void countersAreFoundByTheirNames() throws IOException {
        begin(8);
        counter("sun.rt.safepointTimes", 1);
        counter("sun.rt.safepointTime", 3_000);
        counter("sun.os.hrt.frequency", 500_000_000);
        counter("sun.rt.safepoints", 7);
        counter("java.cls.loadedClasses", 100);
        counter("java.cls.sharedLoadedClasses", 20);
        counter("sun.cls.initializedClasses", 3);
        counter("sun.ci.totalCompiles", 4_000);
        JvmCounters found = written();
        assertThat(found).isNotNull();
        assertThat(found.stops()).isEqualTo(7);
        assertThat(found.stoppedNanos()).isEqualTo(6_000);
        assertThat(found.changes()).isEqualTo(4_123);
    }

    @Test
    void whatDoesNotHaveThemAllIsNone() throws IOException {
        begin(2);
        counter("sun.rt.safepointTime", 3_000);
        counter("sun.rt.safepoints", 7);
        assertThat(written()).isNull();
    }

    @Test
    void aFileThatIsSomethingElseIsNone() throws IOException {
        assertThat(written()).isNull();
        begin(1_000_000);
        assertThat(written()).isNull();
        file.putInt(HEADER, Integer.MAX_VALUE);
        assertThat(written()).isNull();
        Files.write(folder.resolve("counters"), new byte[3]);
        assertThat(JvmCounters.of(folder.resolve("counters"))).isNull();
        assertThat(JvmCounters.of(folder.resolve("nothing"))).isNull();
    }
}
