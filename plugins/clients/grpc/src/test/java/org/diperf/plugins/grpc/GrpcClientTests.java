package org.diperf.plugins.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.ProbedCall;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.FailedCallException;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.http2.RequestHead;
import org.diperf.plugins.lib.http2.ScriptedHttp2Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class GrpcClientTests {

    @TempDir
    Path folder;

    /** Questions to the reflection service, by what they ask. */
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private String reflectionVersion = "v1";

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return harness(target, with, new NettyLoop());
    }

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        return new PluginHarness(new GrpcPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, loop);
    }

    private Map<String, Object> described(String method, Object... more) throws Exception {
        Map<String, Object> with = new HashMap<>();
        with.put("method", "shop.Shop/" + method);
        with.put(
                "descriptors",
                Files.write(folder.resolve("set"), Described.set()).toString());
        for (int i = 0; i < more.length; i += 2) {
            with.put(String.valueOf(more[i]), more[i + 1]);
        }
        return with;
    }

    private static Url target(ScriptedHttp2Server server) {
        return Url.of("grpc://127.0.0.1:" + server.port());
    }

    /** A proxy that closed every third connection was taken for a server of another protocol, or the call timed out. */
    @Test
    void aConnectionThatIsClosedBeforeItsFirstByteIsSaidToBeClosed() throws Exception {
        try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread closing = new Thread(() -> {
                try {
                    while (true) {
                        proxy.accept().close();
                    }
                } catch (IOException e) {
                    // the test is over
                }
            });
            closing.setDaemon(true);
            closing.start();
            Url target = Url.of("grpc://127.0.0.1:" + proxy.getLocalPort());
            for (TestLoop loop : List.of(new NettyLoop(EpollIoHandler.newFactory()), new NettyLoop())) {
                try (PluginHarness harness = harness(target, described("Get"), loop);
                        PluginHarness.Owned client = harness.client(0)) {
                    for (int i = 0; i < 100; i++) {
                        assertThat(client.call().failure()).isIn("closed before the response", "connection reset");
                    }
                }
            }
        }
    }

    private static List<byte[]> messages(byte[] body) {
        List<byte[]> messages = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(body);
        while (in.hasRemaining()) {
            assertThat(in.get()).isZero();
            byte[] message = new byte[in.getInt()];
            in.get(message);
            messages.add(message);
        }
        return messages;
    }

    private static byte[] say(String text) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeString(1, text);
        out.flush();
        return bytes.toByteArray();
    }

    private static String name(byte[] ask) throws Exception {
        Descriptor type = Described.descriptor("Ask");
        DynamicMessage message = DynamicMessage.parseFrom(type, ask);
        return message.getField(type.findFieldByName("name")) + "/"
                + message.getField(type.findFieldByName("how_many"));
    }

    /** A shop that says what it was asked, and describes itself as gRPC services do: each file without those that it refers to. */
    private ScriptedHttp2Server shop() throws Exception {
        return new ScriptedHttp2Server((request, socket, out) -> {
            List<byte[]> messages = messages(request.content());
            String path = request.fields().replaceAll("(?s).*:path: ([^\n]*).*", "$1");
            byte[][] answers;
            switch (path) {
                case "/shop.Shop/Get" -> answers = new byte[][] {say(name(messages.get(0)))};
                case "/shop.Shop/Add" ->
                    answers = new byte[][] {say(messages.size() + " times " + name(messages.get(0)))};
                case "/shop.Shop/Watch" -> answers = new byte[][] {say("1"), say("2"), say("3")};
                case "/shop.Shop/Talk" -> {
                    answers = new byte[messages.size()][];
                    for (int i = 0; i < answers.length; i++) {
                        answers[i] = say(name(messages.get(i)));
                    }
                }
                default -> {
                    if (!path.equals(
                            "/grpc.reflection." + reflectionVersion + ".ServerReflection/ServerReflectionInfo")) {
                        out.write(ScriptedHttp2Server.grpcStatus(request.stream(), "12"));
                        return;
                    }
                    answers = new byte[][] {describe(messages.get(0))};
                }
            }
            out.write(ScriptedHttp2Server.grpc(request.stream(), "0", answers));
        });
    }

    private byte[] describe(byte[] question) throws Exception {
        CodedInputStream in = CodedInputStream.newInstance(question);
        int field = in.readTag() >>> 3;
        String what = in.readString();
        asked.add(field + " " + what);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        if (what.equals("shop.Shop") || what.equals("shop/types.proto")) {
            ByteArrayOutputStream files = new ByteArrayOutputStream();
            CodedOutputStream file = CodedOutputStream.newInstance(files);
            file.writeByteArray(1, (field == 4 ? Described.SERVICE : Described.TYPES).toByteArray());
            file.flush();
            out.writeByteArray(4, files.toByteArray());
        } else {
            out.writeByteArray(7, new byte[] {8, 5, 18, 4, 'n', 'o', 'n', 'e'});
        }
        out.flush();
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v1alpha"})
    void aMethodIsCalledByItsNameAsTheServiceDescribesIt(String version) throws Exception {
        reflectionVersion = version;
        // In an order of their own, in which they are sent.
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("name", "user ${client}-${call}");
        message.put("how_many", "3");
        try (ScriptedHttp2Server server = shop();
                PluginHarness harness = harness(
                        target(server),
                        Map.of(
                                "method",
                                "shop.Shop/Get",
                                "message",
                                message,
                                "metadata",
                                Map.of("X-Id", "${call}", "a", "b")));
                PluginHarness.Owned client = harness.client(7)) {
            assertThat(asked).containsExactly("4 shop.Shop", "3 shop/types.proto");
            for (int i = 0; i < 3; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).isNull();
                assertThat(call.isFirst()).isEqualTo(i == 0);
                assertThat(call.metrics()).containsKey("first-message").doesNotContainKeys("messages", "stall");
                assertThat(call.events()).isEmpty();
                assertThat(call.said(new GrpcPlugin()))
                        .startsWith("> POST /shop.Shop/Get HTTP/2\n> host: 127.0.0.1:")
                        .contains("> x-id: " + i + "\n", "bytes\n>   1: \"user 7-" + i + "\"\n>   2: 3\n< HTTP/2 200\n")
                        .contains("<   1: \"user 7-" + i + "/3\"\n< grpc-status: 0\n");
                ScriptedHttp2Server.Request request =
                        server.requests().get(server.requests().size() - 1);
                assertThat(name(messages(request.content()).get(0))).isEqualTo("user 7-" + i + "/3");
                assertThat(request.fields())
                        .startsWith(":method: POST\n:scheme: http\n:path: /shop.Shop/Get\n:authority: 127.0.0.1:"
                                + server.port() + "\nte: trailers\ncontent-type: application/grpc\n")
                        .contains("x-id: " + i + "\n", "a: b\n", "grpc-timeout: 5000m\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio"})
    void streamsOfEitherSideAreCounted(String kind) throws Exception {
        try (ScriptedHttp2Server server = shop()) {
            for (String method : List.of("Watch", "Add", "Talk")) {
                boolean sends = !method.equals("Watch");
                try (PluginHarness harness = harness(
                                target(server),
                                described(method, "messages", sends ? 5 : 1, "message", Map.of("name", "n")),
                                kind.equals("jdk") ? new JdkLoop() : new NettyLoop());
                        PluginHarness.Owned client = harness.client(0)) {
                    for (int i = 0; i < 3; i++) {
                        CallProbe call = client.call();
                        assertThat(call.failure()).as(method).isNull();
                        ScriptedHttp2Server.Request request =
                                server.requests().get(server.requests().size() - 1);
                        assertThat(messages(request.content())).hasSize(sends ? 5 : 1);
                        if (method.equals("Add")) {
                            assertThat(call.metrics()).doesNotContainKey("messages");
                        } else {
                            assertThat(call.metrics())
                                    .containsEntry("messages", sends ? 5.0 : 3.0)
                                    .containsKey("stall");
                            assertThat(call.events()).hasSize(sends ? 5 : 3).containsOnly(0);
                        }
                    }
                }
            }
        }
    }

    @Test
    void statusesAreOutcomes() throws Exception {
        String[] statuses = {"5", "14", "16", "99", "no", "0"};
        try (ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> {
                    String status = statuses[request.number() % statuses.length];
                    out.write(
                            status.equals("0")
                                    ? ScriptedHttp2Server.grpc(request.stream(), status, new byte[0], new byte[0])
                                    : ScriptedHttp2Server.grpcStatus(request.stream(), status));
                });
                PluginHarness harness = harness(target(server), described("Get"));
                PluginHarness.Owned client = harness.client(0)) {
            List<String> outcomes = new ArrayList<>();
            List<String> remedies = new ArrayList<>();
            for (int i = 0; i < statuses.length; i++) {
                CallProbe call = client.call();
                outcomes.add(call.failure());
                remedies.add(call.remedy());
            }
            assertThat(remedies).containsExactly("", "", "send credentials in client.with.metadata", "", "", "");
            assertThat(outcomes)
                    .containsExactly(
                            "NOT_FOUND",
                            "UNAVAILABLE",
                            "UNAUTHENTICATED",
                            "UNKNOWN",
                            "bad response: no grpc-status",
                            "bad response: not one message");
            assertThat(server.connections()).isEqualTo(1);
        }
        try (ScriptedHttp2Server server = new ScriptedHttp2Server(
                        (request, socket, out) -> out.write(ScriptedHttp2Server.grpcStatus(request.stream(), "5")));
                PluginHarness harness =
                        harness(target(server), described("Get", "expect", List.of("OK", "not_found")));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().isOk()).isTrue();
        }
    }

    @Test
    void aServerThatIsNoneOfGrpcSaysSo() throws Exception {
        try (ScriptedHttp2Server server = ScriptedHttp2Server.always("hello")) {
            try (PluginHarness harness = harness(target(server), described("Get"));
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).isEqualTo("bad response: no grpc-status");
            }
            assertThatThrownBy(() -> harness(target(server), Map.of("method", "shop.Shop/Get")))
                    .hasMessageContaining("reflection: expected a description of shop.Shop from 127.0.0.1")
                    .hasMessageContaining("no gRPC response");
        }
    }

    @Test
    void whatTheServiceDoesNotHaveIsToldBeforeTheLoad() throws Exception {
        try (ScriptedHttp2Server server = shop()) {
            assertThatThrownBy(() -> harness(target(server), Map.of("method", "shop.Sop/Get")))
                    .hasMessage("method: expected a name known to the service, got 'shop.Sop': none");
            assertThatThrownBy(() -> harness(target(server), Map.of("method", "shop.Shop/Buy")))
                    .hasMessageContaining("[Get, Watch, Add, Talk], got 'Buy'");
            assertThatThrownBy(() -> harness(target(server), described("Get", "message", Map.of("nam", "x"))))
                    .hasMessageContaining("message: expected fields of shop.Ask [all, how_many, name], got 'nam'");
            assertThatThrownBy(() ->
                            harness(target(server), described("Get", "message", Map.of("all", "{\"one_bool\": 1}"))))
                    .hasMessageContaining("message.all.one_bool: expected true or false");
            assertThatThrownBy(() -> harness(target(server), described("Get", "messages", 2)))
                    .hasMessageStartingWith("messages: expected 1, because Get accepts only one message, got 2");
            reflectionVersion = "none";
            assertThatThrownBy(() -> harness(target(server), Map.of("method", "shop.Shop/Get")))
                    .hasMessageContaining(
                            "UNIMPLEMENTED: the service does not support reflection; specify a descriptor file (descriptors:");
        }
    }

    @Test
    void parametersThatCannotBeAreRefused() {
        Url target = Url.of("grpc://127.0.0.1:1");
        assertThatThrownBy(() -> harness(target, Map.of("method", "Get")))
                .hasMessage("method: expected package.Service/Method, got 'Get'");
        assertThatThrownBy(() -> harness(target, Map.of("method", "a.B/C", "reflection", false)))
                .hasMessageStartingWith("descriptors: expected a descriptor file, because reflection");
        assertThatThrownBy(() -> harness(target, Map.of("method", "a.B/C", "descriptors", "/no/such")))
                .hasMessage("descriptors: expected a file on the tester, got none at /no/such");
        assertThatThrownBy(() -> harness(target, Map.of("method", "a.B/C", "expect", List.of("FINE"))))
                .hasMessageStartingWith("expect: expected one of OK, CANCELLED");
        assertThatThrownBy(() -> harness(Url.of("http://127.0.0.1:1"), Map.of("method", "a.B/C")))
                .hasMessage("target: expected grpc://HOST:PORT or grpcs://HOST:PORT, got 'http://127.0.0.1:1'");
    }

    /** A call of a client that has captured something. */
    private static final class Capturing extends ProbedCall {

        private final String captured;

        Capturing(CallProbe probe, String captured) {
            super(probe);
            this.captured = captured;
        }

        @Override
        public String value(String name) {
            return captured;
        }
    }

    @Test
    void aMessageThatCannotBeMadeOfItsTextsIsTheExperimentsFault() throws Exception {
        try (ScriptedHttp2Server server = shop();
                PluginHarness harness =
                        harness(target(server), described("Get", "message", Map.of("how_many", "${uuid}")));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = new CallProbe(0, 0, target(server), 0);
            assertThatThrownBy(() -> client.onOwner(() -> {
                        ((AsyncClient) client.client()).call(call);
                        return true;
                    }))
                    .isInstanceOfSatisfying(FailedCallException.class, thrown -> {
                        assertThat(thrown.failure().fault()).isEqualTo(Fault.EXPERIMENT);
                        assertThat(thrown.failure().kind()).startsWith("message.how_many: expected ");
                    });
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void metadataIsOneLine() {
        Names names = new Names() {
            @Override
            public Set<String> values() {
                return Set.of("captured");
            }

            @Override
            public String secret(String reference) {
                throw new IllegalArgumentException(reference);
            }
        };
        Parameters with = Parameters.read(
                new GrpcPlugin().parameters(),
                Map.of("method", "shop.Shop/Get", "metadata", Map.of("x-token", "a ${captured}")),
                1,
                names);
        Url target = Url.of("grpc://127.0.0.1:1");
        GrpcRequest request = new GrpcRequest(
                with, null, List.of(GrpcTarget.of(target)), new RequestHead.Family(), Duration.ofSeconds(1));
        CallProbe probe = new CallProbe(0, 0, target, 0);
        assertThat(request.head(new Capturing(probe, "line"))).isNotNull();
        for (String captured : List.of("two\nlines", "two\rlines")) {
            assertThatThrownBy(() -> request.head(new Capturing(probe, captured)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("metadata 'x-token': the value has a line break");
        }
    }

    @Test
    void theStandInAnswersWithoutBeingAskedForDescriptions() throws Exception {
        GrpcPlugin plugin = new GrpcPlugin();
        Map<String, Object> with = Map.of("method", "shop.Shop/Get", "message", Map.of("name", "x"));
        try (StandIn standIn = plugin.standIn(Parameters.read(plugin.parameters(), with, 1))
                        .orElseThrow();
                PluginHarness harness = harness(standIn.target(), with);
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.call().failure()).isNull();
            }
        }
    }

    @Test
    void deadlinesHaveAtMostEightDigits() {
        assertThat(GrpcRequest.deadline(Duration.ofMillis(250))).isEqualTo("250m");
        assertThat(GrpcRequest.deadline(Duration.ofNanos(5))).isEqualTo("1m");
        assertThat(GrpcRequest.deadline(Duration.ofDays(10))).isEqualTo("864000S");
    }
}
