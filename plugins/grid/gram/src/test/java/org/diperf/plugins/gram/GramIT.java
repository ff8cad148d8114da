package org.diperf.plugins.gram;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.RecorderProbe;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against the real gatekeeper and job manager. */
@Timeout(600)
class GramIT {

    private static final List<JobState> STATES =
            List.of(JobState.PENDING, JobState.ACTIVE, JobState.STAGE_IN, JobState.SUSPENDED);

    private static RealGatekeeper gatekeeper;

    @TempDir
    Path folder;

    @BeforeAll
    static void startGatekeeper() throws Exception {
        gatekeeper = RealGatekeeper.start();
    }

    @AfterAll
    static void stopGatekeeper() throws Exception {
        if (gatekeeper != null) {
            gatekeeper.close();
        }
    }

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        NettyLoop loop = Epoll.isAvailable() ? new NettyLoop(EpollIoHandler.newFactory()) : new NettyLoop();
        return new PluginHarness(new GramPlugin(), List.of(target), with, Duration.ofSeconds(120), folder, loop);
    }

    private CallProbe one(Map<String, ?> with) throws Exception {
        return one(gatekeeper.target(), with);
    }

    private CallProbe one(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    /** Runs jobs, so many clients at once, and returns their calls. */
    private List<CallProbe> many(int clients, int each, Map<String, ?> with) throws Exception {
        return many(clients, each, with, (calls, recorder) -> true);
    }

    private interface Settled {
        boolean holds(List<CallProbe> calls, RecorderProbe recorder) throws Exception;
    }

    /** As above; waits, before what listens is closed, until all that was wanted has come. */
    private List<CallProbe> many(int clients, int each, Map<String, ?> with, Settled settled) throws Exception {
        List<CallProbe> calls = new ArrayList<>();
        try (PluginHarness harness = harness(gatekeeper.target(), with)) {
            List<PluginHarness.Owned> owned = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                owned.add(harness.client(i));
            }
            for (int i = 0; i < each; i++) {
                List<CallProbe> round = new ArrayList<>();
                for (PluginHarness.Owned client : owned) {
                    round.add(client.begin(0));
                }
                for (CallProbe call : round) {
                    assertThat(call.awaitEnd(120_000)).as(call.toString()).isTrue();
                }
                calls.addAll(round);
            }
            await("what the job manager told", () -> settled.holds(calls, harness.recorder()));
            for (PluginHarness.Owned client : owned) {
                client.close();
            }
        }
        return calls;
    }

    private static long seen(List<CallProbe> calls, RecorderProbe recorder, JobState state) {
        long inTime = calls.stream()
                .filter(call -> call.metrics().containsKey(state.metric().name()))
                .count();
        long late = recorder.observations().stream()
                .filter(each -> each.metric().equals(LateJobStates.STATE) && each.value() == state.code())
                .count();
        return inTime + late;
    }

    private static int delta(Map<JobState, Integer> before, Map<JobState, Integer> after, JobState state) {
        return after.getOrDefault(state, 0) - before.getOrDefault(state, 0);
    }

    @Tag("quick")
    @Test
    void statesAreThoseThatTheJobManagerWroteDown() throws Exception {
        boolean thorough = Boolean.getBoolean("diperf.long");
        for (int clients : thorough ? new int[] {1, 4, 12, 24} : new int[] {3}) {
            // 20 by one, 120 by four, 120 by twelve, 240 by 24: 500 jobs.
            int each = thorough ? Map.of(1, 20, 4, 30, 12, 10, 24, 10).get(clients) : 2;
            Map<JobState, Integer> before = gatekeeper.jobsByState();
            // Each state is told by a connection of its own, of which the last can be the fastest.
            List<CallProbe> calls = many(clients, each, gatekeeper.with(), (all, recorder) -> {
                Map<JobState, Integer> now = gatekeeper.jobsByState();
                return STATES.stream().allMatch(state -> seen(all, recorder, state) == delta(before, now, state));
            });
            assertThat(calls)
                    .allSatisfy(
                            call -> assertThat(call.isOk()).as(call.toString()).isTrue());
            Map<JobState, Integer> after = gatekeeper.jobsByState();
            assertThat(calls).hasSize(clients * each);
            assertThat(delta(before, after, JobState.DONE)).isEqualTo(calls.size());
            assertThat(delta(before, after, JobState.FAILED)).isZero();
            System.out.println("GramIT: jobs by state of " + clients + " clients, of all so far: " + after);
        }
    }

    @Test
    void aPollSeesJobsEndToo() throws Exception {
        List<CallProbe> calls = many(3, 1, gatekeeper.with("states", "poll", "poll-every", "300ms"));
        assertThat(calls)
                .allSatisfy(call -> assertThat(call.isOk()).as(call.toString()).isTrue());
        CallProbe committed = one(gatekeeper.with(
                "states", "poll", "poll-every", "300ms", "rsl", "&(executable=/bin/true)(two_phase=30)"));
        assertThat(committed.isOk()).as(committed.toString()).isTrue();
    }

    @Test
    void outputComesBackWhole() throws Exception {
        String rsl = "&(executable=/bin/sh)(arguments=-c \"head -c 300000 /dev/zero; echo error >&2\")";
        CallProbe call = one(gatekeeper.with("output", true, "rsl", rsl));
        assertThat(call.isOk()).as(call.toString()).isTrue();
        assertThat(call.bytes()).isEqualTo(rsl.length() + 300_000 + "error\n".length());
    }

    @Test
    void cancelledJobsLeaveNothing() throws Exception {
        String sleep = "/bin/sleep 86417";
        Map<JobState, Integer> before = gatekeeper.jobsByState();
        List<CallProbe> calls =
                many(2, 1, gatekeeper.with("until", "cancelled", "rsl", "&(executable=/bin/sleep)(arguments=86417)"));
        assertThat(calls)
                .allSatisfy(call -> assertThat(call.isOk()).as(call.toString()).isTrue());
        assertThat(calls).allSatisfy(call -> assertThat(call.metrics()).containsKeys("cancel", "state.active"));
        assertThat(delta(before, gatekeeper.jobsByState(), JobState.FAILED)).isEqualTo(2);
        assertThat(RealGatekeeper.processes(sleep)).isZero();
        // And one that is given up, as at a timeout.
        try (PluginHarness harness = harness(
                        gatekeeper.target(), gatekeeper.with("rsl", "&(executable=/bin/sleep)(arguments=86417)"));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            await("a job that runs", () -> RealGatekeeper.processes(sleep) == 1);
            assertThat(call.ends()).isZero();
            client.cancel(call);
            assertThat(call.awaitEnd(2_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            await("no job any more", () -> RealGatekeeper.processes(sleep) == 0);
        }
        await("no file of a job", () -> gatekeeper.files().isEmpty());
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Condition condition) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as(what).isLessThan(until);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    @Test
    void whatTheyRefuseIsAnOutcomeByItsName() throws Exception {
        assertThat(one(gatekeeper.with("until", "ping")).isOk()).isTrue();
        assertThat(one(gatekeeper.with("delegation", "full", "until", "submitted"))
                        .isOk())
                .isTrue();
        String other = gatekeeper.file("other.pem").toString();
        for (String until : List.of("ping", "submitted")) {
            assertThat(one(gatekeeper.with("proxy-file", other, "until", until)).failure())
                    .isEqualTo((until.equals("ping") ? "ping" : "submit") + ": 7 AUTHORIZATION");
        }
        Url elsewhere = Url.of(gatekeeper.target().toString().replace("fork", "pbs"));
        assertThat(one(elsewhere, gatekeeper.with()).failure()).isEqualTo("submit: 93 SERVICE_NOT_FOUND");
        assertThat(one(gatekeeper.with("rsl", "&(executable=/no/such/program)")).failure())
                .isEqualTo("job: 5 EXECUTABLE_NOT_FOUND");
        assertThat(one(gatekeeper.with("rsl", "&(executable=/no/such/program)(executable=/bin/true)"))
                        .isOk())
                .as("the last one counts")
                .isTrue();
        // What is filled in later is not checked before the run.
        assertThat(one(gatekeeper.with("rsl", "&(executable=/bin/true)(count=${client}x)"))
                        .failure())
                .isEqualTo("submit: 14 INVALID_COUNT");
        assertThat(one(gatekeeper.with("rsl", "&(executable=/bin/true)(no_such_attribute=1)"))
                        .failure())
                .isEqualTo("submit: 1 PARAMETER_NOT_SUPPORTED");
        assertThat(one(gatekeeper.with("rsl", "&(executable=$(NOWHERE))")).failure())
                .isEqualTo("submit: 39 RSL_EVALUATION_FAILED");
    }
}
