package org.diperf.analyzer.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.LongStream;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.sample.TestCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a page knows of a whole run under way. */
@Timeout(30)
class RunSeriesTests {

    private static final long START = 5_000_000_000L;
    private static final long MILLI = 1_000_000;
    private static final long OFFSET = 3_600_000_000_000L;

    private final LiveSeries live = new LiveSeries(START);
    private final RunSeries run = new RunSeries(START, List.of("browse", "order"));
    private CallWriter calls = new CallWriter(1, 100, 0);
    private int tester = 1;
    private long number;

    RunSeriesTests() {
        live.watch(run);
    }

    private void call(int request, int client, long atMillis, long lagMillis, long tookMillis, String outcome) {
        calls.add(new TestCall(START - OFFSET + atMillis * MILLI, lagMillis * MILLI, tookMillis * MILLI)
                .client(client)
                .request(request)
                .outcome(outcome)
                .bytes(1));
    }

    private void call(long atMillis, long tookMillis, String outcome) {
        call(0, 0, atMillis, 0, tookMillis, outcome);
    }

    private void arrive(long blockNumber) throws CorruptBlockException {
        ByteBuffer data = ByteBuffer.allocate(calls.maxEncodedLength());
        calls.encode(data, blockNumber);
        data.flip();
        live.add(Block.read(data), data, OFFSET);
        calls = new CallWriter(tester, 100, 0);
    }

    private void arrive() throws CorruptBlockException {
        arrive(++number);
    }

    private RunSeries.Look look(long since) {
        return run.look(since, START + 10_000 * MILLI);
    }

    @Test
    void callsBelongToTheSecondInWhichTheyEnded() throws CorruptBlockException {
        call(100, 10, "ok");
        call(990, 20, "ok");
        call(1500, 30, "status 500");
        call(1600, 0, "dropped");
        arrive();

        List<RunSeries.Row> rows = look(0).rows();

        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).ok()).isEqualTo(1);
        assertThat(rows.get(0).p99()).isCloseTo(10, within(0.1));
        assertThat(rows.get(1).ok()).isEqualTo(1);
        assertThat(rows.get(1).p50()).isCloseTo(20, within(0.2));
        assertThat(rows.get(1).failed()).isEqualTo(1);
        assertThat(rows.get(1).dropped()).isEqualTo(1);
    }

    @Test
    void onlyRowsThatChangedAreToldAgainAlsoOldOnes() throws CorruptBlockException {
        call(100, 10, "ok");
        call(1100, 10, "ok");
        call(2100, 10, "ok");
        arrive();
        long version = look(0).version();
        assertThat(look(version).rows()).isEmpty();

        call(200, 10, "ok");
        call(3100, 10, "ok");
        arrive();

        assertThat(look(version).rows()).extracting(RunSeries.Row::index).containsExactly(0, 3);
        assertThat(look(version).rows().get(0).ok()).isEqualTo(2);
    }

    @Test
    void aLongRunHasLongerRowsAndLosesNoCall() throws CorruptBlockException {
        call(100, 10, "ok");
        call(1100, 30, "timeout");
        call(2100, 20, "ok");
        arrive();
        long version = look(0).version();
        call(TimeSeries.MAX_ROWS * 1000L + 100, 10, "ok");
        arrive();

        RunSeries.Look look = look(version);

        assertThat(look.quantumNanos()).isEqualTo(2_000_000_000L);
        assertThat(look.rows()).hasSize(TimeSeries.MAX_ROWS / 2 + 1);
        assertThat(look.rows().get(0).ok()).isEqualTo(1);
        assertThat(look.rows().get(0).failed()).isEqualTo(1);
        assertThat(look.rows().stream().mapToLong(RunSeries.Row::ok).sum()).isEqualTo(3);
    }

    @Test
    void totalsAreThoseOfAllCalls() throws CorruptBlockException {
        LongStream.rangeClosed(1, 100).forEach(i -> call(i * 10, i, "ok"));
        arrive();
        call(100, 7, "timeout");
        call(100, 7, "unfinished");
        call(100, 0, "dropped");
        arrive();

        RunSeries.Numbers numbers = look(0).numbers();

        assertThat(numbers.calls().ok()).isEqualTo(100);
        assertThat(numbers.calls().failed()).isEqualTo(1);
        assertThat(numbers.calls().unfinished()).isEqualTo(1);
        assertThat(numbers.calls().dropped()).isEqualTo(1);
        assertThat(numbers.responseTime()).isNotNull();
        assertThat(numbers.responseTime().p99()).isEqualTo(99);
        assertThat(numbers.raw("response.max")).isNotNull();
        assertThat(numbers.raw("throughput")).isEqualTo(10.0);
    }

    @Test
    void causesComeCommonestFirstWithTheirFirstInstant() throws CorruptBlockException {
        call(3000, 0, "timeout");
        call(2000, 0, "status 500");
        call(1000, 0, "status 500");
        arrive();

        assertThat(look(0).causes())
                .containsExactly(
                        new RunSeries.CauseLook("status 500", 2, 1.0), new RunSeries.CauseLook("timeout", 1, 3.0));
    }

    @Test
    void kindsOfRequestAndGroupsAreCountedApart() throws CorruptBlockException {
        run.group("lan", 0);
        run.group("wan", 10);
        call(0, 9, 100, 0, 10, "ok");
        call(1, 10, 100, 0, 20, "ok");
        call(1, 11, 100, 0, 20, "timeout");
        // No such kind of request: a tester may send any.
        call(77, 12, 100, 0, 20, "ok");
        arrive();

        assertThat(look(0).requests())
                .extracting(RunSeries.PartLook::name, RunSeries.PartLook::ok, RunSeries.PartLook::failed)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("browse", 1L, 0L),
                        org.assertj.core.groups.Tuple.tuple("order", 1L, 1L));
        assertThat(look(0).groups())
                .extracting(RunSeries.PartLook::name, RunSeries.PartLook::ok, RunSeries.PartLook::failed)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("lan", 1L, 0L),
                        org.assertj.core.groups.Tuple.tuple("wan", 2L, 1L));
    }

    @Test
    void aTesterIsKnownByItsCallsItsLagItsProcessorAndItsBlocks() throws CorruptBlockException {
        call(0, 0, 100, 3, 10, "ok");
        arrive(1);
        call(0, 0, 200, 3, 10, "timeout");
        arrive(2);
        tester = 2;
        calls = new CallWriter(2, 100, 0);
        call(0, 1, 100, 1, 10, "ok");
        arrive(7);
        ObservationWriter observed = new ObservationWriter(2, 10);
        observed.add("tester.cpu", 1_000, 0.25, ObservationWriter.NONE, ObservationWriter.NONE);
        ByteBuffer data = ByteBuffer.allocate(observed.maxEncodedLength());
        observed.encode(data, 8);
        data.flip();
        live.add(Block.read(data), data, OFFSET);

        List<RunSeries.TesterLook> testers = look(0).testers();

        assertThat(testers).extracting(RunSeries.TesterLook::blocks).containsExactly("1-2", "7-8");
        assertThat(testers).extracting(RunSeries.TesterLook::failed).containsExactly(1L, 0L);
        assertThat(testers.get(0).lagP99Ms()).isCloseTo(3, within(0.1));
        assertThat(testers.get(0).cpu()).isNaN();
        assertThat(testers.get(1).cpu()).isEqualTo(0.25);
    }

    @Test
    void blocksThatCameOutOfOrderAreJoined() {
        CountedBlocks blocks = new CountedBlocks();
        for (long each : new long[] {5, 1, 3, 2, 9, 10, 4}) {
            blocks.add(each);
        }
        assertThat(blocks.text()).isEqualTo("1-5,9-10");
        for (long each = 20; each < 5_000; each += 2) {
            blocks.add(each);
        }
        assertThat(blocks.text()).isEqualTo("many");
    }

    @Test
    void theLoadIsTheMeanOfWhatWasTold() throws CorruptBlockException {
        run.load(-1, 99, 99);
        run.load(200 * MILLI, 10, 4);
        run.load(600 * MILLI, 20, 6);
        call(100, 10, "ok");
        arrive();

        assertThat(look(0).rows().get(0).clients()).isEqualTo(15);
        assertThat(look(0).rows().get(0).inFlight()).isEqualTo(5);
    }
}
