package org.diperf.plugins.mds;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against OpenLDAP's slapd with an index of computing elements: what is found is what ldapsearch finds. */
@Timeout(120)
class MdsIT {

    private static final String INDEX = "Mds-Vo-name=local,o=grid";
    private static final String ELEMENTS = "(objectClass=GlueCE)";

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        NettyLoop loop = Epoll.isAvailable() ? new NettyLoop(EpollIoHandler.newFactory()) : new NettyLoop();
        return new PluginHarness(new MdsPlugin(), List.of(target), with, Duration.ofSeconds(10), folder, loop);
    }

    private CallProbe one(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    private static Map<String, Object> with(Object... pairs) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 25, 50, 100, 250, 500})
    void whatIsFoundIsWhatLdapsearchFinds(int size) throws Exception {
        try (RealDirectory directory = RealDirectory.start(size, false)) {
            for (String filter : List.of(
                    ELEMENTS,
                    "(objectClass=*)",
                    "(&(objectClass=GlueCE)(GlueCEStateFreeCPUs>=8))",
                    "(|(GlueCEUniqueID=host0.*)(!(GlueCEStateRunningJobs=3)))",
                    "(GlueCEInfoHostName=host\\31.example)")) {
                for (String scope : List.of("base", "one", "sub")) {
                    int wanted = directory.found(INDEX, scope, filter);
                    CallProbe call = one(directory.uri(), with("base", INDEX, "filter", filter, "scope", scope));
                    assertThat(call.isOk()).as(call.toString()).isTrue();
                    assertThat(call.metrics()).as(scope + " " + filter).containsEntry("entries", (double) wanted);
                }
            }
            assertThat(directory.found(INDEX, "sub", ELEMENTS)).isEqualTo(size);
        }
    }

    @Tag("quick")
    @ParameterizedTest
    @ValueSource(strings = {"keep", "new", "shared"})
    void manyCallsFindTheSameOnEveryKindOfConnection(String connection) throws Exception {
        try (RealDirectory directory = RealDirectory.start(100, false);
                PluginHarness harness =
                        harness(directory.uri(), with("base", INDEX, "filter", ELEMENTS, "connection", connection));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 300; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.metrics()).containsEntry("entries", 100.0);
                assertThat(call.isFirst()).isEqualTo(i == 0 || connection.equals("new"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "start-tls", "ldaps"})
    void withAndWithoutSecurityEveryKindOfConnectionFindsTheSame(String security) throws Exception {
        boolean secure = !security.equals("plain");
        try (RealDirectory directory = RealDirectory.start(25, secure)) {
            Url target = security.equals("ldaps") ? directory.secureUri() : directory.uri();
            Map<String, Object> with = with("filter", ELEMENTS, "start-tls", security.equals("start-tls"));
            if (secure) {
                assertThat(one(target, with).failure()).isEqualTo("tls: certificate not trusted");
                with.put("ca", directory.certificate().toString());
            }
            int wanted = directory.found("o=grid", "sub", ELEMENTS);
            for (boolean binds : new boolean[] {false, true}) {
                if (binds) {
                    with.putAll(with("bind-dn", "o=grid", "password", "secret"));
                }
                for (String connection : List.of("keep", "new", "shared")) {
                    with.put("connection", connection);
                    try (PluginHarness harness = harness(target, with);
                            PluginHarness.Owned client = harness.client(0)) {
                        for (int i = 0; i < 3; i++) {
                            CallProbe call = client.call();
                            boolean first = i == 0 || connection.equals("new");
                            assertThat(call.isOk()).as(with + ": " + call).isTrue();
                            assertThat(call.metrics()).containsEntry("entries", (double) wanted);
                            assertThat(call.metrics().containsKey("tls")).isEqualTo(secure && first);
                            assertThat(call.metrics().containsKey("bind")).isEqualTo(binds && first);
                        }
                    }
                }
            }
        }
    }

    @Test
    void whatTheServerRefusesIsAnOutcomeWithItsCode() throws Exception {
        try (RealDirectory directory = RealDirectory.start(1, false)) {
            assertThat(one(directory.uri(), with("base", "o=elsewhere")).failure())
                    .isEqualTo("search: 32 no such object");
            assertThat(one(directory.uri(), with("bind-dn", "o=grid", "password", "wrong"))
                            .failure())
                    .isEqualTo("bind: 49 invalid credentials");
            assertThat(one(directory.uri(), with("start-tls", true)).failure())
                    .isEqualTo("start-tls: 2 protocol error");
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "diperf.long",
            matches = "true",
            disabledReason = "waits for a provider to be asked")
    void whatIsFoundInABdiiIsWhatLdapsearchFinds() throws Exception {
        try (RealDirectory bdii = RealDirectory.bdii(25)) {
            for (String filter : List.of(ELEMENTS, "(objectClass=*)", "(GlueCEStateFreeCPUs=3)")) {
                int wanted = bdii.found("o=grid", "sub", filter);
                CallProbe call = one(bdii.uri(), with("filter", filter));
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.metrics()).as(filter).containsEntry("entries", (double) wanted);
            }
            assertThat(bdii.found("o=grid", "sub", ELEMENTS)).isEqualTo(25);
        }
    }
}
