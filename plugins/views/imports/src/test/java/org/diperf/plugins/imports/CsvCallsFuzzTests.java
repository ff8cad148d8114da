package org.diperf.plugins.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.diperf.core.contract.ImportProbe;
import org.diperf.core.fuzz.Fuzz;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of other programs: the first byte chooses the layout, the others are the file. */
class CsvCallsFuzzTests {

    private static final Layout[] LAYOUTS = {
        new Layout(Map.of(), true, ','),
        new Layout(Map.of("time", "1", "latency", "2"), false, ','),
        new Layout(Map.of(), true, ';'),
        new Layout(Map.of("time", "t", "latency", "2"), true, '\t')
    };

    @TempDir
    Path folder;

    static Stream<byte[]> files() {
        return Stream.of(
                        // JMeter
                        "\0timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
                                + "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n"
                                + "1700000000000,12,home,200,OK,Thread Group 1-1,text,true,,615,120,1,1,http://h/,11,0,1\n"
                                + "1700000000013,7,\"a, b\",Non HTTP response code: java.net.SocketTimeoutException,"
                                + "\"x\ny\",Thread Group 1-2,text,false,,0,0,1,1,null,0,0,7\n",
                        // DiPerF's own
                        "\0tester,client,request,target,stage,intended_ns,intended_epoch_ns,send_lag_ns,response_ns,"
                                + "outcome,bytes,first,time (ms)\n"
                                + "1,0,all,http://h/,0,1000,1700000000000001000,5000,900000,ok,12,1,1.5\n"
                                + "2,1,all,http://h/,0,2000,1700000000000002000,5000,900000,timeout,0,0,\n",
                        "\0time,latency (s)\n2026-11-23T03:00:00Z,0.25\n2026-11-23 03:00:01.5,1e-3\n",
                        "\0011700000000.5,0.25\n1700000001,3\n",
                        "\2timestamp;duration;status\n1;2;503\n",
                        "\3t\tx\n1700000000\t\"3\"\n")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("files")
    @Fuzz(changed = 80)
    void aFileIsReadOrRefused(byte[] input) throws IOException {
        if (input.length == 0) {
            return;
        }
        Path file = folder.resolve("calls.csv");
        Files.write(file, Arrays.copyOfRange(input, 1, input.length));
        CsvCalls calls = new CsvCalls(file, LAYOUTS[Math.floorMod(input[0], LAYOUTS.length)]);
        ImportProbe read = new ImportProbe();
        try {
            calls.read(read);
        } catch (IOException refused) {
            assertThat(refused).hasMessageContaining("expected");
            return;
        }
        assertThat(calls.bytesRead()).isEqualTo(input.length - 1);
        for (ImportProbe.Call call : read.calls()) {
            assertThat(call.lagNanos()).isNotNegative();
            assertThat(call.responseNanos()).isNotNegative();
            assertThat(call.bytes()).isNotNegative();
            assertThat(call.client()).isNotNegative();
            assertThat(calls.tester(call.tester())).isNotEmpty();
            assertThat(calls.requests().get(call.request())).isNotEmpty();
            assertThat(calls.targets().get(call.target())).isNotEmpty();
            assertThat(call.metrics()).hasSameSizeAs(calls.metrics());
        }
    }
}
