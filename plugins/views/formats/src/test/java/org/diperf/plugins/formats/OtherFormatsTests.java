package org.diperf.plugins.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JTL, JSON lines and histograms. */
@Timeout(60)
class OtherFormatsTests {

    private static final long SECOND = 1_000_000_000L;

    private static MadeCalls run() {
        return new MadeCalls(SECOND, "browse", "put \"it\", in");
    }

    @Test
    void jtlHasWhatJMeterHasAndLeavesOutWhatNeverEnded() throws IOException {
        MadeCalls run = run().call(1, 0, 0, 1000, 1001, 1012.6, "ok", 300)
                .call(1, 1, 1, 2000, 2000, 2030, "status 503", 0)
                .call(1, 1, 1, 3000, 3000, 3030, "dropped", 0)
                .call(1, 1, 1, 3000, 3000, 3030, "unfinished", 0)
                .call(1, 1, 0, 4000, 4000, 9000, "timeout", 0);

        assertThat(run.written(new JtlFormat()).lines())
                .containsExactly(
                        "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,"
                                + "bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect",
                        "1795255201123,13,browse,200,OK,tester-1 1-0,text,true,,300,0,1,1,http://127.0.0.1:8080/,0,0,0",
                        "1795255202123,30,\"put \"\"it\"\", in\",503,status 503,tester-1 1-1,text,false,status 503,0,0,2,2,"
                                + "http://127.0.0.1:8080/,0,0,0",
                        "1795255204123,5000,browse,Non HTTP response code: timeout,timeout,tester-1 1-1,text,false,timeout,"
                                + "0,0,2,2,http://127.0.0.1:8080/,0,0,0");
    }

    @Test
    void jsonLinesAreObjectsWithTheColumnsOfTheCsvFile() throws IOException {
        MadeCalls run = run().call(1, 1, 1, 2000, 2001, 2030, "say \"no\"\t", 9);

        List<String> lines = run.written(new JsonLinesFormat()).lines().toList();

        assertThat(lines).hasSize(1);
        JsonNode call = JsonMapper.builder().build().readTree(lines.get(0));
        assertThat(call.get("intended_epoch_ns").asLong()).isEqualTo(1_795_255_202_123_000_000L);
        assertThat(call.get("send_lag_ns").asLong()).isEqualTo(1_000_000);
        assertThat(call.get("response_ns").asLong()).isEqualTo(30_000_000);
        assertThat(call.get("outcome").asString()).isEqualTo("say \"no\"\t");
        assertThat(call.get("request").asString()).isEqualTo("put \"it\", in");
        assertThat(call.get("first").asBoolean()).isFalse();
        assertThat(call.propertyNames()).containsExactlyElementsOf(CsvFormat.COLUMNS);
    }

    @Test
    void hgrmIsHdrHistogramsTableOfOkCallsInMilliseconds() throws IOException {
        MadeCalls run = run();
        for (int i = 1; i <= 1000; i++) {
            run.call(1, 0, 0, 0, 0, i, "ok", 1);
        }
        run.call(1, 0, 0, 0, 0, 15_000, "timeout", 1);

        String table = run.written(new HgrmFormat());

        assertThat(table.lines().findFirst().orElseThrow().strip().split("\\s+"))
                .containsExactly("Value", "Percentile", "TotalCount", "1/(1-Percentile)");
        assertThat(table).contains("Total count    =         1000");
        double median = table.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length == 4 && fields[1].startsWith("0.5000"))
                .mapToDouble(fields -> Double.parseDouble(fields[0]))
                .findFirst()
                .orElseThrow();
        assertThat(median).isCloseTo(500, within(0.05));
    }

    /** Reads a log back as the tool's own reader does, by tag ("" for none). */
    private static Map<String, List<Histogram>> read(String log) {
        Map<String, List<Histogram>> read = new HashMap<>();
        HistogramLogReader reader =
                new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
        while (reader.hasNext()) {
            Histogram next = (Histogram) reader.nextIntervalHistogram();
            if (next != null) {
                String tag = next.getTag() == null ? "" : next.getTag();
                read.computeIfAbsent(tag, key -> new ArrayList<>()).add(next);
            }
        }
        return read;
    }

    @Test
    void hlogHasAHistogramForEachQuantumAndKindThatItsOwnReaderReads() throws IOException {
        MadeCalls run = run().call(1, 0, 0, 500, 500, 900, "ok", 1)
                .call(1, 0, 1, 1500, 1500, 1700, "ok", 1)
                .call(1, 1, 0, 1500, 1500, 1800, "ok", 1)
                .call(1, 1, 0, 7500, 7500, 7800, "broken", 1)
                .call(1, 1, 0, 8500, 8500, 8600, "ok", 1);

        Map<String, List<Histogram>> read = read(run.written(new HlogFormat()));

        assertThat(read).containsOnlyKeys("", "browse", "put_\"it\"__in");
        assertThat(read.get("")).extracting(Histogram::getTotalCount).containsExactly(1L, 2L, 1L);
        assertThat(read.get("browse")).extracting(Histogram::getTotalCount).containsExactly(1L, 1L, 1L);
        Histogram last = read.get("").get(2);
        assertThat(last.getStartTimeStamp()).isEqualTo(1_795_255_208_123L);
        assertThat(last.getEndTimeStamp()).isEqualTo(1_795_255_209_123L);
        assertThat(last.getMaxValueAsDouble()).isCloseTo(100e6, within(100e3));
    }

    /** Nearest rank, as HdrHistogram counts. */
    private static double quantile(double[] sorted, double percent) {
        return sorted[(int) Math.ceil(percent / 100 * sorted.length) - 1];
    }

    @Test
    void histogramsHaveTheQuantilesOfTheCallsWithinTheirDigits() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        MadeCalls run = run();
        for (int i = 0; i < 5_000; i++) {
            double at = i * 3.9;
            double took = Math.exp(2 + 0.8 * random.nextGaussian());
            run.call(1, i % 2, i % 2, at, at, at + took, i % 100 == 0 ? "broken" : "ok", 1);
        }
        double[] times = run.okMillis();

        Histogram all = new Histogram(3);
        read(run.written(new HlogFormat())).get("").forEach(all::add);
        String table = run.written(new HgrmFormat());

        assertThat(all.getTotalCount()).isEqualTo(times.length).isEqualTo(4_950);
        assertThat(all.getMean() / 1e6)
                .as("seed %d", seed)
                .isCloseTo(Arrays.stream(times).average().orElseThrow(), withinPercentage(0.1));
        assertThat(all.getMaxValue() / 1e6)
                .as("seed %d", seed)
                .isCloseTo(times[times.length - 1], withinPercentage(0.1));
        double[][] quantiles = {
            {50, quantile(times, 50)},
            {90, quantile(times, 90)},
            {95, quantile(times, 95)},
            {99, quantile(times, 99)},
            {99.9, quantile(times, 99.9)}
        };
        for (double[] of : quantiles) {
            assertThat(all.getValueAtPercentile(of[0]) / 1e6)
                    .as("seed %d p%s of hlog", seed, of[0])
                    .isCloseTo(of[1], withinPercentage(0.1));
        }
        double[][] lines = table.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length >= 3 && fields[0].matches("[0-9.]+"))
                .map(fields -> new double[] {Double.parseDouble(fields[0]), Double.parseDouble(fields[1])})
                .toArray(double[][]::new);
        for (double[] of : quantiles) {
            // The table has steps of its own: the value is between those of the lines around it.
            double below = 0;
            double above = Double.MAX_VALUE;
            for (double[] line : lines) {
                below = line[1] <= of[0] / 100 ? line[0] : below;
                above = line[1] >= of[0] / 100 ? Math.min(above, line[0]) : above;
            }
            assertThat(of[1]).as("seed %d p%s of hgrm", seed, of[0]).isBetween(below * 0.9999, above * 1.0001);
        }
        assertThat(lines[lines.length - 1][0]).isCloseTo(times[times.length - 1], withinPercentage(0.01));
    }

    @Test
    void aLongRunHasWiderQuantaAndLosesNoCall() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        MadeCalls run = new MadeCalls(1_000_000, "browse", "order");
        int calls = 3000;
        for (int i = 0; i < calls; i++) {
            double at = random.nextInt(20_000);
            run.call(1, 0, random.nextInt(2), at, at, at + 1 + random.nextInt(50), "ok", 1);
        }

        // A millisecond a quantum would be 20,000 of them.
        Map<String, List<Histogram>> read = read(run.written(new HlogFormat()));

        assertThat(read.get("").size()).as("seed %d", seed).isBetween(1000, HlogFormat.MAX_QUANTA);
        assertThat(read.get("").stream().mapToLong(Histogram::getTotalCount).sum())
                .as("seed %d", seed)
                .isEqualTo(calls);
        assertThat(read.get("").get(0).getEndTimeStamp() - read.get("").get(0).getStartTimeStamp())
                .as("seed %d: times are cut to whole milliseconds", seed)
                .isBetween(7L, 8L);
    }
}
