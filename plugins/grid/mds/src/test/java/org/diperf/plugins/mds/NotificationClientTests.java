package org.diperf.plugins.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.xml.bind.JAXBElement;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.oasis_open.docs.wsn.b_2.NotificationMessageHolderType;
import org.oasis_open.docs.wsn.b_2.Notify;
import org.oasis_open.docs.wsn.b_2.Subscribe;
import org.oasis_open.docs.wsn.b_2.TopicExpressionType;
import org.oasis_open.docs.wsn.b_2.Unsubscribe;
import org.w3c.dom.Element;

/** Subscriptions, notifications and rules, against the stand-in of the examples as it should be and as it should not. */
@Timeout(60)
class NotificationClientTests {

    private static final String QUEUE =
            "<q:Queue xmlns:q='urn:q'><q:Id>${client}-${call}</q:Id><q:Length>LENGTH</q:Length></q:Queue>";
    private static final String BUSY = "rule=busy:number(//*[local-name()='Length'])>100";

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new WsrfPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, new NettyLoop());
    }

    private static Map<String, Object> with(String operation, Object... more) {
        Map<String, Object> all = new HashMap<>(Map.of("operation", operation, "topic", "Entry"));
        if (!operation.equals("subscribe")) {
            all.put("message", QUEUE.replace("LENGTH", "150"));
        }
        for (int i = 0; i < more.length; i += 2) {
            all.put((String) more[i], more[i + 1]);
        }
        return all;
    }

    @Test
    void aSubscriptionIsMadeAndEnded() throws Exception {
        try (Trigger service = Trigger.start();
                PluginHarness harness = harness(service.uri(), with("subscribe"));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 1; i <= 5; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).isNull();
                assertThat(call.metrics())
                        .containsKeys("subscribe", "unsubscribe")
                        .doesNotContainKeys("publish", "notification");
                assertThat(call.isFirst()).isEqualTo(i == 1);
                assertThat(call.bytes()).isGreaterThan(1_000);
                assertThat(service.count("subscribe")).isEqualTo(i);
                assertThat(service.count("unsubscribe")).isEqualTo(i);
                assertThat(service.subscriptions()).isZero();
            }
        }
    }

    @Test
    void whatIsPublishedIsAnEntryOfTheIndex() throws Exception {
        try (Trigger service = Trigger.start();
                PluginHarness harness = harness(service.uri(), with("publish"));
                PluginHarness.Owned client = harness.client(7)) {
            for (int i = 0; i < 3; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).isNull();
                assertThat(call.metrics()).containsKey("publish").doesNotContainKey("notification");
            }
            assertThat(service.awaitCount("entry", 3)).isTrue();
            assertThat(found(service, "//*[local-name()='Queue']")).isEqualTo(3);
            assertThat(found(service, "//*[text()='7-1']")).isEqualTo(1);
        }
    }

    private int found(Trigger service, String xpath) throws Exception {
        try (PluginHarness harness = harness(service.uri(), Map.of("xpath", xpath));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isNull();
            return call.metrics().get("entries").intValue();
        }
    }

    @Test
    void aCallWaitsForTheNotificationOfItsOwnMessageAndKeepsItsSubscription() throws Exception {
        try (Trigger service = Trigger.start();
                PluginHarness harness = harness(service.uri(), with("notify"))) {
            List<PluginHarness.Owned> clients = List.of(harness.client(0), harness.client(1), harness.client(2));
            for (int i = 0; i < 4; i++) {
                List<CallProbe> calls = new ArrayList<>();
                for (PluginHarness.Owned client : clients) {
                    calls.add(client.begin(0));
                }
                for (CallProbe call : calls) {
                    assertThat(call.awaitEnd(10_000)).isTrue();
                    assertThat(call.failure()).isNull();
                    assertThat(call.metrics()).containsKeys("publish", "notification", "strays");
                    assertThat(call.metrics().containsKey("subscribe")).isEqualTo(i == 0);
                    assertThat(call.metrics().get("notification")).isPositive();
                }
            }
            assertThat(service.count("subscribe")).isEqualTo(3);
            assertThat(service.count("publish")).isEqualTo(12);
            assertThat(service.subscriptions()).isEqualTo(3);
            for (PluginHarness.Owned client : clients) {
                client.close();
            }
            assertThat(service.awaitCount("unsubscribe", 3))
                    .as("nothing is left behind")
                    .isTrue();
        }
    }

    @Test
    void aRuleThatMatchesActsAndThenTells() throws Exception {
        Path seen = folder.resolve("seen");
        Path action = folder.resolve("action.sh");
        Files.writeString(action, "#!/bin/sh\n{ echo \"$1\"; cat; echo; } >> " + seen + "\n");
        Files.setPosixFilePermissions(action, PosixFilePermissions.fromString("rwx------"));
        try (Trigger service = Trigger.start(BUSY, "action=" + action)) {
            try (PluginHarness harness =
                            harness(service.uri(), with("notify", "topic", "busy", "publish-topic", "Entry"));
                    PluginHarness.Owned client = harness.client(3)) {
                assertThat(client.call().failure()).isNull();
                assertThat(client.call().failure()).isNull();
            }
            assertThat(service.count("action")).isEqualTo(2);
            assertThat(Files.readString(seen)).contains("busy", "<q:Id>3-0</q:Id>", "<q:Id>3-1</q:Id>");
            Map<String, Object> calm = with("publish", "message", QUEUE.replace("LENGTH", "100"));
            try (PluginHarness harness = harness(service.uri(), calm);
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).isNull();
            }
            assertThat(service.awaitCount("entry", 3)).isTrue();
            assertThat(service.count("match")).as("100 is not more than 100").isEqualTo(2);
        }
    }

    @Test
    void aRuleThatMatchedDoesNotMatchAgainForAWhile() throws Exception {
        try (Trigger service = Trigger.start(BUSY, "interval=3600000");
                PluginHarness harness = harness(service.uri(), with("publish"));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.call().failure()).isNull();
            }
            assertThat(service.awaitCount("entry", 4)).isTrue();
            assertThat(service.count("match")).isEqualTo(1);
        }
    }

    @Test
    void aSubscriptionMayFilterByContent() throws Exception {
        Map<String, Object> with = with("notify", "xpath", "//*[local-name()='Id'] = '${client}-1'");
        try (Trigger service = Trigger.start();
                PluginHarness harness = harness(service.uri(), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe filtered = client.begin(0);
            assertThat(service.awaitCount("entry", 1)).isTrue();
            client.cancel(filtered);
            assertThat(filtered.awaitEnd(30_000)).isTrue();
            assertThat(filtered.failure()).isEqualTo("cancelled");
            assertThat(service.count("tell")).isZero();
            assertThat(client.call().failure())
                    .as("it subscribed anew, and its mark is 0-1")
                    .isNull();
            assertThat(service.awaitCount("unsubscribe", 1)).isTrue();
        }
    }

    @Test
    void anAggregatorAsksServicesAndRunsProgramsForEntries() throws Exception {
        Path program = folder.resolve("program.sh");
        Files.writeString(program, "#!/bin/sh\necho '<Load>1</Load>'\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        try (IndexService index = IndexService.plain(5);
                Trigger service = Trigger.start(
                        "query=" + index.uri() + "|//*[local-name()='Entry']|3600000",
                        "execute=" + program + "|3600000")) {
            assertThat(service.awaitCount("entry", 6)).isTrue();
            assertThat(found(service, "//*[local-name()='Host']")).isEqualTo(5);
            assertThat(found(service, "//Load")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "subscribe, fault, fault: Server: as it was told",
        "subscribe, status, status 503",
        "subscribe, half, malformed XML",
        "subscribe, bomb, XML with a document type",
        "subscribe, garbage, malformed XML",
        "subscribe, deep, XML too deep or too large",
        "subscribe, version, another version of WS-Notification",
        "subscribe, other, no SubscribeResponse",
        "subscribe, elsewhere, SubscriptionReference on another host",
        "subscribe, keyless, no SubscriptionReference",
        "subscribe, crowded, SubscriptionReference: too many parameters",
        "subscribe, close, closed before the response",
        "publish, fault, fault: Server: as it was told",
        "publish, status, status 503",
        "publish, garbage, malformed XML",
        "publish, deep, XML too deep or too large",
        "publish, close, closed before the response",
        "unsubscribe, fault, fault: Server: as it was told",
        "unsubscribe, other, no UnsubscribeResponse",
        "unsubscribe, bomb, XML with a document type",
        "unsubscribe, close, closed before the response",
    })
    void eachFaultHasAKindOfItsOwnAndTheNextCallGoesWell(String of, String what, String kind) throws Exception {
        boolean ends = of.equals("unsubscribe");
        try (Trigger service = Trigger.start("fail=" + of + ":" + what + ":2");
                PluginHarness harness = harness(service.uri(), with(ends ? "subscribe" : "notify"));
                PluginHarness.Owned first = harness.client(0);
                PluginHarness.Owned second = harness.client(1)) {
            assertThat(first.call().failure()).isNull();
            assertThat(second.call().failure()).isEqualTo(of + ": " + kind);
            assertThat(second.call().failure()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"never", "another's", "bomb", "garbage", "deep", "huge"})
    void aServiceThatDoesNotTellOrLiesEndsNoCall(String what) throws Exception {
        try (Trigger service = Trigger.start("fail=tell:" + what + ":1");
                PluginHarness harness = harness(service.uri(), with("notify"));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            assertThat(service.awaitCount("tell", 1)).isTrue();
            // What was told has been answered, or refused.
            while (!what.equals("never") && service.count("told") + service.count("not told") == 0) {
                LockSupport.parkNanos(5_000_000);
            }
            assertThat(call.awaitEnd(100)).isFalse();
            client.cancel(call);
            assertThat(call.awaitEnd(30_000)).isTrue();
            assertThat(call.metrics()).doesNotContainKey("notification");
            assertThat(call.metrics().get("strays")).isEqualTo(what.equals("another's") ? 1.0 : 0.0);
            assertThat(service.awaitCount("unsubscribe", 1)).isTrue();
        }
    }

    @Test
    void whatIsToldTwiceOrLateEndsItsOwnCallOnce() throws Exception {
        try (Trigger service = Trigger.start("fail=tell:twice:1");
                PluginHarness harness = harness(service.uri(), with("notify"));
                PluginHarness.Owned client = harness.client(0)) {
            int strays = 0;
            for (int i = 1; i <= 5; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).isNull();
                strays += call.metrics().get("strays").intValue();
                assertThat(service.awaitCount("told", 2L * i)).isTrue();
            }
            assertThat(strays).isBetween(3, 5);
        }
    }

    @Test
    void aCallThatIsCancelledWhileNobodyAnswersEndsAtOnce() throws Exception {
        for (String operation : List.of("subscribe", "publish", "notify")) {
            String hangs = operation.equals("publish") ? "publish" : "subscribe";
            try (Trigger service = Trigger.start("fail=" + hangs + ":hang:1");
                    PluginHarness harness = harness(service.uri(), with(operation));
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = client.begin(0);
                assertThat(service.awaitCount("seen " + hangs + ":hang", 1)).isTrue();
                client.cancel(call);
                assertThat(call.awaitEnd(30_000)).isTrue();
                assertThat(call.failure()).isEqualTo("cancelled");
            }
        }
    }

    @Test
    void aBrokerOnTheStandardsOwnTypesUnderstandsAndIsUnderstood() throws Exception {
        Map<String, Object> with = with(
                "notify",
                "topic",
                "q:Queue/Long",
                "publish-topic",
                "q:Queue",
                "prefixes",
                Map.of("q", "urn:<q>"),
                "xpath",
                "//q:Id and 1 < 2",
                "expires",
                "90s");
        try (TypedBroker broker = new TypedBroker();
                PluginHarness harness = harness(broker.uri(), with)) {
            try (PluginHarness.Owned client = harness.client(2)) {
                assertThat(client.call().failure()).isNull();
                assertThat(client.call().failure()).isNull();
            }
            long until = System.nanoTime() + 30_000_000_000L;
            while (broker.requests().size() < 4 && System.nanoTime() < until) {
                LockSupport.parkNanos(5_000_000);
            }
            assertThat(broker.requests())
                    .satisfiesExactly(
                            first -> {
                                Subscribe subscribe = (Subscribe) first;
                                assertThat(subscribe.getInitialTerminationTime().getValue())
                                        .isEqualTo("PT90S");
                                assertThat(subscribe.getFilter().getAny())
                                        .hasSize(2)
                                        .extracting(any ->
                                                ((JAXBElement<?>) any).getName().getLocalPart())
                                        .containsExactly("TopicExpression", "MessageContent");
                                TopicExpressionType topic = (TopicExpressionType) ((JAXBElement<?>)
                                                subscribe.getFilter().getAny().get(0))
                                        .getValue();
                                assertThat(topic.getDialect()).endsWith("/Concrete");
                                assertThat(topic.getContent()).containsExactly("q:Queue/Long");
                            },
                            second -> {
                                NotificationMessageHolderType message = ((Notify) second)
                                        .getNotificationMessage()
                                        .get(0);
                                assertThat(message.getTopic().getDialect()).endsWith("/Simple");
                                assertThat(((Element) message.getMessage().getAny()).getTextContent())
                                        .isEqualTo("2-0150");
                            },
                            third -> assertThat(third).isInstanceOf(Notify.class),
                            last -> assertThat(last).isInstanceOf(Unsubscribe.class));
            assertThat(broker.keys()).containsExactly("one <& two /broker/subscription");
        }
    }

    @Test
    void theStandInTellsNobodyElseThanWhoSubscribes() throws Exception {
        String elsewhere =
                "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/' xmlns:a='http://www.w3.org/2005/08/addressing'>"
                        + "<s:Body><n:Subscribe xmlns:n='" + NotificationMessages.NOTIFICATION
                        + "'><n:ConsumerReference><a:Address>http://192.0.2.1/</a:Address></n:ConsumerReference><n:Filter><n:TopicExpression>Entry"
                        + "</n:TopicExpression></n:Filter></n:Subscribe></s:Body></s:Envelope>";
        try (Trigger service = Trigger.start()) {
            assertThat(post(service, elsewhere)).contains("SubscribeCreationFailedFault");
            assertThat(post(service, elsewhere.replace("http://192.0.2.1/", "http://127.0.0.1:1/")))
                    .contains("SubscribeResponse");
            assertThat(post(service, "<a>".repeat(5_000))).contains("no SOAP");
            assertThat(post(service, "<!DOCTYPE a><a/>")).contains("no SOAP");
            assertThat(post(service, "<a>" + "x".repeat(1 << 20) + "</a>")).contains("bytes");
        }
    }

    private static String post(Trigger service, String body) throws Exception {
        try (Socket socket =
                new Socket(InetAddress.getByName("127.0.0.1"), service.uri().port())) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            socket.getOutputStream()
                    .write(("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: " + bytes.length
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            try {
                socket.getOutputStream().write(bytes);
            } catch (IOException e) {
                // It has heard enough.
            }
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static Stream<Arguments> meaningless() {
        Map<String, Object> none = new HashMap<>(with("notify"));
        none.remove("message");
        return Stream.of(
                Arguments.of(
                        Map.of("operation", "subscribe"), "topic", "expected a topic such as t:Queue for operation"),
                Arguments.of(none, "message", "expected an element of XML for operation: notify, got none"),
                Arguments.of(with("publish", "message", "<a>"), "message", "with its namespaces, got malformed XML"),
                Arguments.of(with("publish", "message", "<q:a/>"), "message", "with its namespaces, got malformed XML"),
                Arguments.of(with("notify", "expires", "10ms"), "expires", "expected 1s or more, got 10 ms"));
    }

    @ParameterizedTest
    @MethodSource("meaningless")
    void whatWouldMeanNothingIsRefusedAtItsKey(Map<String, ?> given, String key, String message) {
        Parameters with = Parameters.read(new WsrfPlugin().parameters(), given, 1);
        assertThatThrownBy(() -> new WsrfPlugin().check(Url.of("http://127.0.0.1:1/"), with))
                .isInstanceOfSatisfying(
                        Parameters.Unusable.class,
                        unusable -> assertThat(unusable.parameter()).isEqualTo(key))
                .hasMessageContaining(message);
    }

    @Test
    void aDirectoryHasNoNotifications() {
        Parameters with = Parameters.read(new MdsPlugin().parameters(), with("notify"), 1);
        assertThatThrownBy(() -> new MdsPlugin().check(Url.of("ldap://127.0.0.1:1/"), with))
                .hasMessageContaining("expected query for 'ldap://127.0.0.1:1/', got notify");
    }
}
