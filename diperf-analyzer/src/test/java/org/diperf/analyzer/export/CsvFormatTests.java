package org.diperf.analyzer.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.RunFixture;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls as lines of a CSV file. */
@Timeout(60)
class CsvFormatTests {

    private static final long FROM = Long.MIN_VALUE;
    private static final long TO = Long.MAX_VALUE;

    @TempDir
    Path folder;

    static String written(ExportPlugin format, Path run, long from, long to) throws IOException {
        RunCalls calls = RunCalls.of(run);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (CallExport export = format.begin(calls.exported(), bytes)) {
            calls.read(from, to, export);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static RunFixture twoTesters() {
        // The clocks of testers are known by exchanges of 10 us each way, and run at the same rate.
        return new RunFixture()
                .tester(1, 5_000_000_000L, 0)
                .tester(2, -7_000_000_000L, 0)
                .closed(2, 0, 10_000)
                .requests("browse", "order, by \"mail\"")
                .exchanges(10_000);
    }

    @Test
    void everyCallIsALineInGlobalTimeWithAllThatWasMeasured() throws IOException {
        Path run = twoTesters()
                .call(1, 0, 0, 1000, 1001, 1012.5, "ok", 300)
                .call(2, 1, 1, 2000, 2000, 2030, "status 503", 0)
                .call(1, 0, 0, 3000, 3000, 3001, "ok", 7)
                .write(folder);

        List<String> lines = written(new CsvFormat(), run, FROM, TO).lines().toList();

        assertThat(lines.get(0))
                .isEqualTo("intended_epoch_ns,intended_ns,send_lag_ns,response_ns,outcome,tester,client,call,stage,"
                        + "request,target,bytes,first");
        assertThat(lines.subList(1, lines.size()))
                .containsExactlyInAnyOrder(
                        "1795255201123000000,1000000000,1000000,12500000,ok,1,0,0,0,browse,http://127.0.0.1:8080/,300,0",
                        "1795255203123000000,3000000000,0,1000000,ok,1,0,1,0,browse,http://127.0.0.1:8080/,7,0",
                        "1795255202123000000,2000000000,0,30000000,status 503,2,1,0,0,\"order, by \"\"mail\"\"\","
                                + "http://127.0.0.1:8080/,0,0");
    }

    @Test
    void onlyCallsThatEndedInThePartAreWrittenAndKeepTheirNumbers() throws IOException {
        Path run = twoTesters()
                .call(1, 0, 1000, 1000, 2000, "ok")
                .call(1, 0, 2000, 2000, 3000, "ok")
                .call(1, 0, 3000, 3000, 4000, "ok")
                .write(folder);

        List<String> lines = written(new CsvFormat(), run, 3_000_000_000L, 4_000_000_000L)
                .lines()
                .toList();

        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains(",2000000000,0,1000000000,ok,1,0,1,0,browse,");
    }

    @Test
    void blocksThatCameTwiceAreWrittenOnceAndDamagedOnesAreLeftOut() throws IOException {
        Path run = twoTesters()
                .call(1, 0, 1000, 1000, 2000, "ok")
                .again(1)
                .call(2, 1, 1000, 1000, 2000, "ok")
                .damage(2)
                .call(1, 0, 2000, 2000, 3000, "timeout")
                .write(folder);
        RunCalls.Found found = RunCalls.of(run).read(FROM, TO, new CallExport() {
            @Override
            public void add(org.diperf.core.spi.ExportedCall call) {
                // counted by who gives them
            }

            @Override
            public void close() {
                // nothing to end
            }
        });

        assertThat(found).isEqualTo(new RunCalls.Found(2, 1, 1));
        assertThat(written(new CsvFormat(), run, FROM, TO).lines()).hasSize(3);
    }
}
