package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.WallClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.CallScript;
import org.diperf.tester.engine.call.RunSetup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a secret may hide in samples, and what that costs. */
@Timeout(20)
class MaskedWordsTests {

    private static final long S = 1_000_000_000L;
    private static final Plan PLAN = new Plan(
            1, 1, Targets.one(Url.of("test:a")), List.of(new Stage(0, new ClosedLoad(1, 0, S, ThinkTime.NONE, S), 0)));

    private static final class Silent implements AsyncClient {
        @Override
        public void call(Call call) {}

        @Override
        public void cancel(Call call) {}
    }

    private static CallScript script(String... secrets) throws Exception {
        Map<String, String> values = new HashMap<>();
        for (String secret : secrets) {
            values.put("env:S" + values.size(), secret);
        }
        Script script = new Script(List.of(), List.of(), List.of(), List.of(), new Secrets(values));
        return CallScript.open(script, script.parameters("", id -> List.of(), Map.of(), 1), Rank.ONLY, 1);
    }

    @Test
    void aSecretThatIsAWordOfDiperfHidesNoMetricThatIsAnalysed() throws Exception {
        Metric declared = new Metric("tester.first", "ms", "declared");
        List<String> blocks = new ArrayList<>();
        BlockSink sink = writer -> {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, 1);
            blocks.add(StandardCharsets.ISO_8859_1.decode(block.flip()).toString());
        };
        RunSetup setup =
                new RunSetup(1, 1, 0, PLAN, List.of(declared), LoopSettings.DEFAULT.orLoops(1), false, line -> {});
        setup.script(script("tester", "network", "client"));
        Records records = new Records(setup, sink, () -> 0, WallClock.SYSTEM);
        Recorder recorder = records.recorder(0);
        records.observe("tester.cpu", 1, 0.5, Records.NO_CLIENT);
        recorder.observe(declared, 1, 1);
        recorder.observe(Metric.of("network.rtt", "ms"), 1, 1);
        recorder.observe(Metric.of("client.startup", "ms"), 1, 1);
        recorder.observe(Metric.of("found.tester.out", "1"), 1, 1);
        records.flush();
        assertThat(blocks).hasSize(1);
        assertThat(blocks.get(0))
                .contains("tester.cpu", "tester.first", "network.rtt", "client.startup", "found.***.out");
    }

    @Test
    void aSecretThatIsTheWordOfAnOutcomeDoesNotHideIt() throws Exception {
        HandLoop hand = new HandLoop(PLAN, Silent::new, false, false, script("timeout", "unfinished"));
        hand.start();
        hand.runUntil(5 * S);
        assertThat(hand.samples)
                .isNotEmpty()
                .allMatch(sample -> sample.outcome().equals("timeout"));
        hand = new HandLoop(PLAN, Silent::new, false, false, script("timeout", "unfinished"));
        hand.start();
        hand.runUntil(S / 10);
        hand.stop(S / 10);
        hand.runUntil(S);
        assertThat(hand.samples)
                .isNotEmpty()
                .allMatch(sample -> sample.outcome().equals("unfinished"));
    }

    @Test
    void anOutcomeThatCameBeforeIsMaskedWithoutAllocation() throws Exception {
        CallScript script = script("open-sesame", "another");
        String[] outcomes = {"status 503", "bad key open-sesame", "bad key another"};
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long characters = 0;
        for (String outcome : outcomes) {
            characters += script.masked(outcome).length();
        }
        long before = threads.getThreadAllocatedBytes(id);
        for (int i = 0; i < 30_000; i++) {
            characters += script.masked(outcomes[i % outcomes.length]).length();
        }
        assertThat(threads.getThreadAllocatedBytes(id) - before).isLessThan(30_000);
        assertThat(characters).isEqualTo(10_001 * (10 + 11 + 11));
    }

    @Test
    void whatIsKeptOfMaskedTextsIsBounded() throws Exception {
        CallScript script = script("open-sesame");
        String first = script.masked("open-sesame, first");
        assertThat(script.masked("open-sesame, first")).isSameAs(first);
        for (int i = 0; i < CallScript.MAX_MASKED; i++) {
            assertThat(script.masked("open-sesame, " + i)).isEqualTo("***, " + i);
        }
        assertThat(script.masked("open-sesame, first")).isEqualTo(first).isNotSameAs(first);
        String tooLong = "x".repeat(10_000) + "open-sesame";
        assertThat(script.masked(tooLong)).isNotSameAs(script.masked(tooLong));
    }
}
