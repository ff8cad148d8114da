package org.diperf.controller.acceptance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleColumn;
import org.diperf.core.sample.SampleReader;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a test asks of a finished run directory. */
record RunFolder(Path path) {

    /**
     * One call as recorded.
     *
     * @param errorIn {@link CallWriter#UNKNOWN} where there is none, as {@code errorOut}
     */
    record RecordedCall(
            int client,
            long intendedNanos,
            long lagNanos,
            long latencyNanos,
            String outcome,
            boolean first,
            long errorIn,
            long errorOut) {

        long serviceNanos() {
            return latencyNanos - lagNanos;
        }

        boolean isBounded() {
            return errorIn < CallWriter.UNKNOWN / 2 && errorOut < CallWriter.UNKNOWN / 2;
        }
    }

    JsonNode summary() throws IOException {
        return JsonMapper.shared().readTree(Files.readAllBytes(path.resolve("summary.json")));
    }

    long calls(String kind) throws IOException {
        return summary().get("calls").get(kind).asLong();
    }

    /** Returns every recorded call by its name {@code CLIENT-NUMBER}: the n-th of a client by intended start. */
    Map<String, String> outcomesByCall() throws IOException {
        Map<String, String> outcomes = new TreeMap<>();
        callsByName().forEach((name, call) -> outcomes.put(name, call.outcome()));
        return outcomes;
    }

    /** Returns every recorded call by its name {@code CLIENT-NUMBER}: the n-th of a client by intended start. */
    Map<String, RecordedCall> callsByName() throws IOException {
        List<RecordedCall> calls = new ArrayList<>();
        Calls decoded = new Calls(SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
        SampleReader.read(path.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                if (header.kind() == Block.CALLS) {
                    decoded.decode(data, header);
                    boolean bounded = decoded.has(SampleColumn.ERROR_IN);
                    for (int row = 0; row < decoded.rows(); row++) {
                        calls.add(new RecordedCall(
                                decoded.client(row),
                                decoded.intendedNanos(row),
                                decoded.lagNanos(row),
                                decoded.latencyNanos(row),
                                decoded.outcome(row),
                                decoded.first(row),
                                bounded ? decoded.value(SampleColumn.ERROR_IN, row) : CallWriter.UNKNOWN,
                                bounded ? decoded.value(SampleColumn.ERROR_OUT, row) : CallWriter.UNKNOWN));
                    }
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new AssertionError(file + " at " + offset + ": " + reason);
            }
        });
        calls.sort(Comparator.comparingInt(RecordedCall::client).thenComparingLong(RecordedCall::intendedNanos));
        Map<String, RecordedCall> byName = new TreeMap<>();
        int client = -1;
        int number = 0;
        for (RecordedCall call : calls) {
            number = call.client() == client ? number + 1 : 0;
            client = call.client();
            byName.put(client + "-" + number, call);
        }
        return byName;
    }
}
