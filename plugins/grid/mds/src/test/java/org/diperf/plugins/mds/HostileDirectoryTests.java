package org.diperf.plugins.mds;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that do not do what they should: each is an outcome with a reason, and none is waited for beyond the timeout. */
@Timeout(60)
class HostileDirectoryTests {

    /** An entry without attributes in message 1, and the end of the search. */
    private static final String ENTRY = "300a02010164050401613000";

    private static final String DONE = "300c020101 6507 0a0100 0400 0400";

    @TempDir
    Path folder;

    private PluginHarness harness(Script server, Map<String, ?> with) throws Exception {
        return harness(server, "ldap", with);
    }

    private PluginHarness harness(Script server, String scheme, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new MdsPlugin(), List.of(server.uri(scheme)), with, Duration.ofSeconds(5), folder, new NettyLoop());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hello in hexadecimal | 68656c6c6f | not LDAP",
                "a length that is no length | 3080 | not LDAP",
                "a length of five bytes | 30850000000000 | not LDAP",
                "an empty message | 3000 | not LDAP",
                "a number that is none | 300c040101 6507 0a0100 0400 0400 | not LDAP",
                "a result without a code | 300c020101 6507 040100 0400 0400 | not LDAP",
                "a result of 2 GiB | 30847fffffff0201016584 | not LDAP",
                "a kind that nobody asked for | 300c020101 6107 0a0100 0400 0400 | unexpected LDAP message",
                "a goodbye | 3024020100781f0a013404000400"
                        + "8a16312e332e362e312e342e312e313436362e3230303336 | disconnected: 52 unavailable",
                "no right | 300c020101 6507 0a0132 0400 0400 | search: 50 insufficient access rights",
                "busy | 300c020101 6507 0a0133 0400 0400 | search: 51 busy",
                "a code that nobody knows | 300d020101 6508 0a020fa0 0400 0400 | search: 4000",
            })
    void aBadAnswerIsAnOutcomeWithAReason(String what, String answer, String reason) throws Exception {
        try (Script server = new Script(false, answer);
                PluginHarness harness = harness(server, Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).as(what).isEqualTo(reason);
            assertThat(call.ends()).isEqualTo(1);
        }
    }

    /** An answer to StartTLS with more behind it in clear: a whole message, and the beginning of one. */
    @ParameterizedTest
    @ValueSource(strings = {"300c020102 6507 0a0100 0400 0400", "300c0201", "300c020101 7807 0a0100 0400 0400"})
    void whatComesInClearBehindTheAnswerToStartTlsCountsForNothing(String behind) throws Exception {
        try (Script server = new Script(false, "300c020101 7807 0a0100 0400 0400" + behind);
                PluginHarness harness = harness(server, Map.of("start-tls", true));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isEqualTo("start-tls: plaintext bytes after the answer");
            assertThat(call.ends()).isEqualTo(1);
        }
    }

    @Test
    void halfAnAnswerIsToldFromNone() throws Exception {
        try (Script nothing = new Script(true, "");
                Script half = new Script(true, ENTRY + "300c0201");
                Script entryOnly = new Script(true, ENTRY)) {
            for (Map.Entry<Script, String> each : Map.of(
                            nothing, "closed before the answer",
                            half, "closed in the middle of the answer",
                            entryOnly, "closed in the middle of the answer")
                    .entrySet()) {
                try (PluginHarness harness = harness(each.getKey(), Map.of());
                        PluginHarness.Owned client = harness.client(0)) {
                    assertThat(client.call().failure()).isEqualTo(each.getValue());
                    assertThat(client.call().failure()).isEqualTo(each.getValue());
                    assertThat(each.getKey().connections()).isEqualTo(2);
                }
            }
        }
    }

    @Test
    void aConnectionThatWasClosedBetweenCallsIsMadeAnew() throws Exception {
        try (Script server = new Script(true, ENTRY + DONE);
                PluginHarness harness = harness(server, Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().isOk()).isTrue();
            CallProbe second = client.call();
            // The close may be seen before the next search, or while it is under way.
            assertThat(second.isOk() || "closed before the answer".equals(second.failure()))
                    .as(second.toString())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep", "new", "shared"})
    void aSilentServerHoldsUpNobody(String connection) throws Exception {
        // The first search stays without an answer, the second and third get theirs: numbers 2 and 4 where it is
        // abandoned.
        try (Script server = new Script(false, "", "");
                PluginHarness harness = harness(server, Map.of("connection", connection));
                PluginHarness.Owned one = harness.client(0);
                PluginHarness.Owned two = harness.client(1)) {
            CallProbe first = one.begin(0);
            CallProbe second = two.begin(0);
            one.cancel(first);
            assertThat(first.awaitEnd(5_000)).isTrue();
            assertThat(first.failure()).isEqualTo("cancelled");
            two.onOwner(() -> true);
            assertThat(second.ends()).isZero();
            two.cancel(second);
            assertThat(second.awaitEnd(5_000)).isTrue();
            CallProbe third = one.begin(0);
            one.cancel(third);
            assertThat(third.awaitEnd(5_000)).isTrue();
            assertThat(third.ends()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ldap, bind-dn, cn=a, '', keep",
        "ldap, start-tls, true, '', keep",
        "ldaps, insecure, true, '', keep",
        "ldap, scope, sub, 300a02010164050401613000300c0201, keep",
        "ldap, bind-dn, cn=a, '', shared",
        "ldap, start-tls, true, '', shared",
        "ldaps, insecure, true, '', shared",
    })
    void whoFallsSilentAnywhereIsGivenUpAndTheNextCallBeginsAnew(
            String scheme, String parameter, String value, String answer, String connection) throws Exception {
        try (Script server = new Script(false, answer);
                PluginHarness harness = harness(server, scheme, Map.of(parameter, value, "connection", connection));
                PluginHarness.Owned client = harness.client(0)) {
            server.isGivenUpTwice(client);
        }
    }

    @Test
    void aSharedConnectionThatIsNotReadyIsGivenUpByTheFirstThatWaitedForAllOfIt() throws Exception {
        try (Script server = new Script(false, "");
                PluginHarness harness = harness(server, Map.of("connection", "shared", "bind-dn", "cn=a"));
                PluginHarness.Owned one = harness.client(0);
                PluginHarness.Owned two = harness.client(1)) {
            CallProbe first = one.begin(0);
            server.awaitAsked();
            CallProbe second = two.begin(0);
            one.cancel(first);
            assertThat(first.awaitEnd(5_000)).isTrue();
            server.awaitAsked();
            assertThat(second.ends()).as("it waits for another connection").isZero();
            CallProbe third = one.begin(0);
            two.cancel(second);
            assertThat(second.awaitEnd(5_000)).isTrue();
            one.onOwner(() -> true);
            assertThat(third.ends()).isZero();
            assertThat(server.connections())
                    .as("it waited for the first one too")
                    .isEqualTo(2);
            one.cancel(third);
            assertThat(third.awaitEnd(5_000)).isTrue();
            CallProbe fourth = two.begin(0);
            server.awaitAsked();
            assertThat(server.connections()).isEqualTo(3);
            two.cancel(fourth);
            assertThat(fourth.awaitEnd(5_000)).isTrue();
            for (CallProbe call : List.of(first, second, third, fourth)) {
                assertThat(call.failure()).isEqualTo("cancelled");
                assertThat(call.ends()).isEqualTo(1);
            }
        }
    }

    /** Half a message comes, and the rest after as long a time again. */
    @Test
    void theFirstByteIsNotTheEndOfTheFirstMessage() throws Exception {
        byte[] answer = HexFormat.of().parseHex((ENTRY + DONE).replace(" ", ""));
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                PluginHarness harness = new PluginHarness(
                        new MdsPlugin(),
                        List.of(Url.of("ldap://127.0.0.1:" + listener.getLocalPort() + "/")),
                        Map.of(),
                        Duration.ofSeconds(5),
                        folder,
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            long beginNanos = System.nanoTime();
            CallProbe call = client.begin(0);
            try (Socket socket = listener.accept()) {
                assertThat(socket.getInputStream().read(new byte[1_000])).isPositive();
                socket.getOutputStream().write(answer, 0, 5);
                while (!call.said(new MdsPlugin()).contains("\n< ")) {
                    Thread.onSpinWait();
                }
                long tookNanos = System.nanoTime() - beginNanos;
                while (System.nanoTime() - beginNanos <= 2 * tookNanos) {
                    Thread.onSpinWait();
                }
                socket.getOutputStream().write(answer, 5, answer.length - 5);
                assertThat(call.awaitEnd(5_000)).isTrue();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.metrics().get("first-byte")).isLessThanOrEqualTo(tookNanos / 1e6);
            }
        }
    }

    @Test
    void allSearchesOnASharedConnectionThatBreaksHaveThatReason() throws Exception {
        try (Script server = new Script(true, "", "");
                PluginHarness harness = harness(server, Map.of("connection", "shared"));
                PluginHarness.Owned one = harness.client(0);
                PluginHarness.Owned two = harness.client(1)) {
            CallProbe first = one.begin(0);
            server.awaitAsked();
            CallProbe second = two.begin(0);
            for (CallProbe call : List.of(first, second)) {
                assertThat(call.awaitEnd(5_000)).isTrue();
                assertThat(call.failure()).isEqualTo("closed before the answer");
                assertThat(call.ends()).isEqualTo(1);
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aBindOrStartTlsThatIsCutOffIsToldFromASearch() throws Exception {
        try (Script server = new Script(true, "");
                PluginHarness harness = harness(server, Map.of("bind-dn", "cn=a", "password", "b"));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("bind: closed before the answer");
        }
        try (Script server = new Script(true, "");
                PluginHarness harness = harness(server, Map.of("start-tls", true));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("start-tls: closed before the answer");
        }
    }

    /** Whatever the pieces in which an answer comes, it reads the same; whatever the noise, reading ends. */
    @Test
    void piecesAndNoiseAreReadWithoutHarm() {
        long seed = 20_261_121;
        Random random = new Random(seed);
        byte[] answer = HexFormat.of().parseHex((ENTRY.repeat(50) + DONE).replace(" ", ""));
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = answer.clone();
            boolean noise = round % 2 == 1;
            for (int i = 0; noise && i < 3; i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            List<Integer> seen = new ArrayList<>();
            LdapReader reader = new LdapReader((id, operation, size, result) -> seen.add(operation));
            try {
                for (int at = 0; at < bytes.length; ) {
                    int count = Math.min(bytes.length - at, 1 + random.nextInt(40));
                    ByteBuf piece = Unpooled.wrappedBuffer(bytes, at, count);
                    reader.read(piece);
                    at += count;
                }
            } catch (LdapReader.MalformedMessageException e) {
                assertThat(noise).as("seed %d, round %d", seed, round).isTrue();
            }
            if (!noise) {
                assertThat(seen).hasSize(51).last().isEqualTo(LdapMessage.SEARCH_DONE);
                assertThat(reader.isWithinMessage()).isFalse();
            }
        }
    }
}
