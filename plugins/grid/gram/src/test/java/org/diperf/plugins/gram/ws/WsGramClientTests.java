package org.diperf.plugins.gram.ws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the stand-in, which answers as WS-GRAM does, and as it should not. */
@Timeout(60)
class WsGramClientTests {

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new WsGramPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, new NettyLoop());
    }

    private CallProbe one(JobService service, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(service.uri(), with);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    @Test
    void eachJobIsCreatedFollowedAndDestroyed() throws Exception {
        try (JobService service = JobService.start("time=30", "places=2");
                PluginHarness harness = harness(service.uri(), Map.of("arguments", List.of("<&\">", "${call}")))) {
            List<PluginHarness.Owned> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(harness.client(i));
            }
            for (int round = 0; round < 5; round++) {
                List<CallProbe> calls = new ArrayList<>();
                for (PluginHarness.Owned client : clients) {
                    calls.add(client.begin(0));
                }
                for (CallProbe call : calls) {
                    assertThat(call.awaitEnd(10_000)).isTrue();
                    assertThat(call.failure()).isNull();
                    assertThat(call.isFirst()).isEqualTo(round == 0);
                    Map<String, Double> metrics = call.metrics();
                    assertThat(metrics).containsKeys("create", "state.pending", "done", "destroy");
                    // On a busy machine states are told late, so the time between two of them says little.
                    assertThat(metrics.get("done")).isGreaterThanOrEqualTo(30.0);
                    assertThat(metrics.get("state.active")).isBetween(0.0, metrics.get("done"));
                }
            }
            for (PluginHarness.Owned client : clients) {
                client.close();
            }
            assertThat(service.count("create")).isEqualTo(20);
            assertThat(service.count("done")).isEqualTo(20);
            assertThat(service.count("destroy")).isEqualTo(20);
            assertThat(service.jobs()).isZero();
        }
    }

    @Test
    void aJobThatFailsIsDestroyedToo() throws Exception {
        try (JobService service = JobService.start("time=1")) {
            assertThat(one(service, Map.of("executable", "/bin/false")).failure())
                    .isEqualTo("job: Failed");
            assertThat(service.jobs()).isZero();
        }
    }

    @Test
    void aJobMayBeLeftAlone() throws Exception {
        try (JobService service = JobService.start("time=60000")) {
            CallProbe call = one(service, Map.of("until", "created"));
            assertThat(call.failure()).isNull();
            assertThat(call.metrics()).containsKey("create").doesNotContainKeys("done", "destroy");
            assertThat(service.jobs()).isEqualTo(1);
        }
    }

    @Test
    void theJobOfACallThatIsCancelledIsDestroyed() throws Exception {
        try (JobService service = JobService.start("time=60000");
                PluginHarness harness = harness(service.uri(), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            assertThat(call.awaitEnd(500)).isFalse();
            client.cancel(call);
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            assertThat(service.jobs()).isZero();
        }
    }

    /** A service that is slow to answer has made the job all the same. */
    @Test
    void theJobOfACallThatIsCancelledBeforeItHasANameIsDestroyedWhenItHas() throws Exception {
        try (JobService service = JobService.start("time=60000", "fail=create:late:1");
                PluginHarness harness = harness(service.uri(), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            awaitAsked(service, "create:late", 1);
            client.cancel(call);
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            assertThat(call.ends()).isEqualTo(1);
            assertThat(service.count("create")).isEqualTo(1);
            assertThat(service.jobs()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"create:hang", "destroy:hang"})
    void aServiceThatFallsSilentDoesNotHoldACallThatIsCancelled(String what) throws Exception {
        try (JobService service = JobService.start("time=60000", "fail=" + what + ":1");
                PluginHarness harness = harness(service.uri(), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 2; i++) {
                CallProbe call = client.begin(0);
                if (what.startsWith("create")) {
                    awaitAsked(service, what, i + 1);
                } else {
                    assertThat(call.awaitEnd(500)).isFalse();
                }
                client.cancel(call);
                assertThat(call.awaitEnd(5_000)).isTrue();
                assertThat(call.failure()).isEqualTo("cancelled");
                assertThat(call.ends()).isEqualTo(1);
            }
        }
    }

    private static void awaitAsked(JobService service, String what, int times) throws Exception {
        while (service.count("seen " + what) < times) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "create:fault, create: fault: Server: as it was told",
        "create:status, create: status 503",
        "create:half, create: malformed XML",
        "create:bomb, create: malformed XML",
        "create:garbage, create: malformed XML",
        "create:deep, create: malformed XML",
        "create:version, create: another version of WS-GRAM",
        "create:other, create: no createManagedJobResponse",
        "create:elsewhere, create: managedJobEndpoint on another host",
        "create:keyless, create: no managedJobEndpoint",
        "create:close, create: closed before the response",
        "destroy:fault, destroy: fault: Server: as it was told",
        "destroy:status, destroy: status 503",
        "destroy:half, destroy: malformed XML",
        "destroy:other, destroy: no DestroyResponse",
        "destroy:close, destroy: closed before the response",
    })
    void whatIsNoAnswerHasItsName(String what, String failure) throws Exception {
        try (JobService service = JobService.start("time=1", "fail=" + what + ":1")) {
            assertThat(one(service, Map.of()).failure()).isEqualTo(failure);
        }
    }

    @Test
    void aTargetThatCannotBeIsToldBeforeTheRun() {
        assertThatThrownBy(() -> harness(Url.of("ldap://127.0.0.1/x"), Map.of()).close())
                .hasMessageContaining("expected http://HOST:PORT/PATH or https://HOST:PORT/PATH");
        assertThatThrownBy(() -> harness(Url.of("gram://127.0.0.1/x"), Map.of()).close())
                .hasMessage(
                        "target: expected http://HOST:PORT/PATH or https://HOST:PORT/PATH, got 'gram://127.0.0.1/x'");
    }

    @Test
    void aJobWithoutAProgramIsToldBeforeTheRun() {
        Url target = Url.of("http://127.0.0.1:1/x");
        assertThatThrownBy(() -> harness(target, Map.of("executable", "")).close())
                .isInstanceOfSatisfying(
                        Parameters.Unusable.class,
                        unusable -> assertThat(unusable.parameter()).isEqualTo("executable"))
                .hasMessageContaining("expected the path of a program, got ''");
    }
}
