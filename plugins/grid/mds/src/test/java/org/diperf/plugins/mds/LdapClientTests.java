package org.diperf.plugins.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a directory in this process that a library wrote. */
@Timeout(60)
class LdapClientTests {

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        return new PluginHarness(new MdsPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, loop);
    }

    private CallProbe one(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with, new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    private static TestLoop loop(String kind) {
        Assumptions.assumeTrue(!kind.equals("epoll") || Epoll.isAvailable(), "no epoll here");
        return switch (kind) {
            case "jdk" -> new JdkLoop();
            case "nio" -> new NettyLoop();
            default -> new NettyLoop(EpollIoHandler.newFactory());
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void searchesShareOneKeptConnectionAndSayHowManyEntriesTheyFound(String kind) throws Exception {
        try (Directory directory = Directory.plain(500);
                PluginHarness harness = harness(directory.uri(), Map.of("filter", "(objectClass=device)"), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            long bytes = 0;
            for (int i = 0; i < 200; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.ends()).isEqualTo(1);
                assertThat(call.metrics()).containsEntry("entries", 500.0).containsKey("first-byte");
                assertThat(call.isFirst()).isEqualTo(i == 0);
                assertThat(call.metrics().containsKey("connect")).isEqualTo(i == 0);
                // The message's number takes a second byte from 128 on, in each of its 502 messages.
                bytes = i == 0 ? call.bytes() : bytes;
                assertThat(call.bytes()).isBetween(bytes, bytes + 502 * 3);
            }
            assertThat(bytes).isGreaterThan(500 * 100);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "base, 1",
        "one, 20",
        "sub, 21",
        "subordinate, 20",
    })
    void theScopeDecidesHowFarASearchGoes(String scope, double entries) throws Exception {
        try (Directory directory = Directory.plain(20)) {
            assertThat(one(directory.uri(), Map.of("scope", scope)).metrics()).containsEntry("entries", entries);
        }
    }

    @Test
    void baseFilterAndAttributesAreFilledInForEveryCall() throws Exception {
        try (Directory directory = Directory.plain(20);
                PluginHarness harness = harness(
                        Url.of("ldap://127.0.0.1:" + directory.port()),
                        Map.of("base", "cn=host${call}," + Directory.BASE, "filter", "(cn=host${call})"),
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.call().metrics()).containsEntry("entries", 1.0);
            }
        }
    }

    @Test
    void fewerAttributesAreFewerBytes() throws Exception {
        try (Directory directory = Directory.plain(50)) {
            long all = one(directory.uri(), Map.of()).bytes();
            long few = one(directory.uri(), Map.of("attributes", List.of("cn"))).bytes();
            assertThat(few).isLessThan(all / 2);
        }
    }

    @Test
    void aNewConnectionIsMadeForEachSearchWhereThatIsWanted() throws Exception {
        try (Directory directory = Directory.plain(1);
                PluginHarness harness = harness(directory.uri(), Map.of("connection", "new"), new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 5; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.isFirst()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio"})
    void clientsOfALoopShareOneConnectionWhereThatIsWanted(String kind) throws Exception {
        try (Directory directory = Directory.plain(100);
                PluginHarness harness = harness(directory.uri(), Map.of("connection", "shared"), loop(kind))) {
            List<PluginHarness.Owned> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(harness.client(i));
            }
            int first = 0;
            for (int round = 0; round < 5; round++) {
                List<CallProbe> calls = new ArrayList<>();
                for (PluginHarness.Owned client : clients) {
                    calls.add(client.begin(0));
                }
                for (CallProbe call : calls) {
                    assertThat(call.awaitEnd(5_000)).isTrue();
                    assertThat(call.isOk()).as(call.toString()).isTrue();
                    assertThat(call.metrics()).containsEntry("entries", 101.0);
                    first += call.isFirst() ? 1 : 0;
                }
            }
            assertThat(first).isEqualTo(1);
            for (PluginHarness.Owned client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aBindBelongsToTheFirstCallOfAConnection() throws Exception {
        try (Directory directory = Directory.plain(1);
                PluginHarness harness = harness(
                        directory.uri(),
                        Map.of("bind-dn", Directory.ADMIN, "password", Directory.PASSWORD),
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().metrics()).containsKey("bind");
            assertThat(client.call().metrics()).doesNotContainKey("bind");
        }
    }

    @Test
    void aRefusedBindIsAnOutcomeWithItsCode() throws Exception {
        try (Directory directory = Directory.plain(1)) {
            Map<String, String> wrong = Map.of("bind-dn", Directory.ADMIN, "password", "wrong");
            assertThat(one(directory.uri(), wrong).failure()).isEqualTo("bind: 49 invalid credentials");
        }
    }

    @Test
    void aResultThatIsNotSuccessIsAnOutcomeWithItsCodeAndTheConnectionStays() throws Exception {
        try (Directory directory = Directory.plain(1);
                PluginHarness harness = harness(directory.uri(), Map.of("base", "cn=none,o=grid"), new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("search: 32 no such object");
            CallProbe second = client.call();
            assertThat(second.failure()).isEqualTo("search: 32 no such object");
            assertThat(second.isFirst()).isFalse();
        }
    }

    @Test
    void moreThanTheServerGivesIsAnOutcome() throws Exception {
        try (Directory directory = Directory.plain(1_200)) {
            assertThat(one(directory.uri(), Map.of()).failure()).isEqualTo("search: 4 size limit exceeded");
        }
    }

    @Test
    void tlsFromTheBeginningAndByStartTlsFindTheSame() throws Exception {
        TestCertificate certificate = TestCertificate.make(folder, "directory", "ip:127.0.0.1");
        Map<String, String> trusting = Map.of("ca", certificate.pem().toString());
        try (Directory directory = Directory.ldaps(10, certificate)) {
            CallProbe call = one(directory.secureUri(), trusting);
            assertThat(call.isOk()).as(call.toString()).isTrue();
            assertThat(call.metrics()).containsEntry("entries", 11.0).containsKey("tls");
            assertThat(one(directory.secureUri(), Map.of()).failure()).isEqualTo("tls: certificate not trusted");
            assertThat(one(directory.secureUri(), Map.of("insecure", true)).isOk())
                    .isTrue();
        }
        try (Directory directory = Directory.startTls(10, certificate)) {
            Map<String, Object> asking = Map.of(
                    "ca",
                    certificate.pem().toString(),
                    "start-tls",
                    true,
                    "bind-dn",
                    Directory.ADMIN,
                    "password",
                    Directory.PASSWORD);
            CallProbe call = one(directory.uri(), asking);
            assertThat(call.isOk()).as(call.toString()).isTrue();
            assertThat(call.metrics()).containsEntry("entries", 11.0).containsKeys("tls", "bind", "connect");
        }
    }

    @Test
    void aServerThatDoesNotSpeakTlsSaysSo() throws Exception {
        try (Directory directory = Directory.plain(1)) {
            assertThat(one(directory.uri(), Map.of("start-tls", true)).failure())
                    .startsWith("start-tls: ");
        }
    }

    @Test
    void whatCannotBeAskedIsSaidBeforeAnythingStarts() {
        Map<String, Map<String, ?>> wrong = Map.of(
                "filter: expected a filter such as", Map.of("filter", "objectClass=*)"),
                "base: expected a DN", Map.of("base", "no dn"),
                "password: expected bind-dn", Map.of("password", "x"));
        wrong.forEach(
                (message, with) -> assertThatThrownBy(() -> harness(Url.of("ldap://127.0.0.1:1"), with, new JdkLoop()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(message));
    }

    @Test
    void theStandInAnswersWhatARehearsalAsks() throws Exception {
        for (Map<String, ?> with : List.of(
                Map.of("bind-dn", "cn=x", "password", "y"), Map.of("xpath", "//*"), Map.of("connection", "shared"))) {
            MdsPlugin plugin = new MdsPlugin();
            try (var standIn = plugin.standIn(org.diperf.core.spi.Parameters.read(plugin.parameters(), with, 1))
                    .orElseThrow()) {
                CallProbe call = one(standIn.target(), with);
                assertThat(call.isOk()).as(with + ": " + call).isTrue();
                assertThat(call.metrics()).containsEntry("entries", 8.0);
            }
        }
    }

    @Test
    void whatIsSaidReadsAsASearchAndItsEntriesWithoutThePasswordOfTheBind() throws Exception {
        try (Directory directory = Directory.plain(2)) {
            CallProbe call = one(
                    directory.uri(),
                    Map.of(
                            "filter",
                            "(&(objectClass=device)(serialNumber=1))",
                            "attributes",
                            List.of("cn", "serialNumber"),
                            "bind-dn",
                            Directory.ADMIN,
                            "password",
                            Directory.PASSWORD));
            assertThat(call.said(new MdsPlugin())).isEqualTo("""
                            > search base "ou=index,o=grid", scope sub, filter (&(objectClass=device)(serialNumber=1)), attributes cn serialNumber
                            < dn: cn=host1,ou=index,o=grid
                            < cn: host1
                            < serialNumber: 1
                            <\s
                            < search: 0 success
                            """).doesNotContain(Directory.PASSWORD);
            assertThat(one(directory.uri(), Map.of("base", "ou=nowhere,o=grid")).said(new MdsPlugin()))
                    .contains("< search: 32 no such object: ");
        }
    }

    @Test
    void whatIsCutOrNoMessageIsShownAsItIs() {
        MdsPlugin plugin = new MdsPlugin();
        assertThat(plugin.shown(false, new byte[] {0x30, 0x7f, 2, 1, 'h', 'i'})).isEqualTo("0\u00b7\u00b7\u00b7hi");
        assertThat(plugin.shown(false, "HTTP/1.1 200 OK".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("HTTP/1.1 200 OK");
        assertThat(plugin.shown(true, new byte[0])).isEmpty();
    }
}
