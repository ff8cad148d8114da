package org.diperf.plugins.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that others wrote, in Java: gRPC's own. */
@Timeout(60)
class JavaServerTests {

    @TempDir
    Path folder;

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger messages = new AtomicInteger();
    private Server server;

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setFullMethodName("shop.Shop/" + name)
                .setType(type)
                .build();
    }

    @BeforeEach
    void start() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .maxConcurrentCallsPerConnection(3)
                .addService(ServerServiceDefinition.builder("shop.Shop")
                        .addMethod(
                                method("Get", MethodType.UNARY),
                                ServerCalls.asyncUnaryCall((request, answer) -> answer(request, answer, 1)))
                        .addMethod(
                                method("Watch", MethodType.SERVER_STREAMING),
                                ServerCalls.asyncServerStreamingCall((request, answer) -> answer(request, answer, 3)))
                        .addMethod(
                                method("Add", MethodType.CLIENT_STREAMING),
                                ServerCalls.asyncClientStreamingCall(answer -> new Taking(answer, false)))
                        .addMethod(
                                method("Talk", MethodType.BIDI_STREAMING),
                                ServerCalls.asyncBidiStreamingCall(answer -> new Taking(answer, true)))
                        .build())
                .build()
                .start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        assertThat(server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    /** Answers a message with itself, so many times; one without a name is not found. */
    private void answer(byte[] request, StreamObserver<byte[]> answer, int times) {
        calls.incrementAndGet();
        messages.incrementAndGet();
        if (request.length == 0) {
            answer.onError(Status.NOT_FOUND.asRuntimeException());
            return;
        }
        for (int i = 0; i < times; i++) {
            answer.onNext(request);
        }
        answer.onCompleted();
    }

    private final class Taking implements StreamObserver<byte[]> {

        private final StreamObserver<byte[]> answer;
        private final boolean each;
        private byte[] last = {};

        Taking(StreamObserver<byte[]> answer, boolean each) {
            this.answer = answer;
            this.each = each;
            calls.incrementAndGet();
        }

        @Override
        public void onNext(byte[] message) {
            messages.incrementAndGet();
            last = message;
            if (each) {
                answer.onNext(message);
            }
        }

        @Override
        public void onError(Throwable why) {
            // The client has given up.
        }

        @Override
        public void onCompleted() {
            if (!each) {
                answer.onNext(last);
            }
            answer.onCompleted();
        }
    }

    private PluginHarness harness(String method, Map<String, ?> more) throws Exception {
        Map<String, Object> with = new HashMap<>(more);
        with.put("method", "shop.Shop/" + method);
        with.put(
                "descriptors",
                Files.write(folder.resolve("set"), Described.set()).toString());
        return new PluginHarness(
                new GrpcPlugin(),
                List.of(Url.of("grpc://127.0.0.1:" + server.getPort())),
                with,
                Duration.ofSeconds(10),
                folder,
                new NettyLoop());
    }

    private CallProbe call(String method, Map<String, ?> more) throws Exception {
        try (PluginHarness harness = harness(method, more);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    @Test
    void allKindsOfMethodsAreAnswered() throws Exception {
        Map<String, String> message = Map.of("name", "x");
        assertThat(call("Get", Map.of("message", message)).failure()).isNull();
        assertThat(call("Watch", Map.of("message", message)).metrics()).containsEntry("messages", 3.0);
        assertThat(call("Add", Map.of("message", message, "messages", 100)).failure())
                .isNull();
        assertThat(call("Talk", Map.of("message", message, "messages", 20)).metrics())
                .containsEntry("messages", 20.0);
        assertThat(call("Get", Map.of()).failure()).isEqualTo("NOT_FOUND");
        assertThat(call("Get", Map.of("expect", "NOT_FOUND")).failure()).isNull();
        assertThat(calls).hasValue(6);
        assertThat(messages).hasValue(1 + 1 + 100 + 20 + 1 + 1);
    }

    @Test
    void moreClientsThanItAllowsCallsAreServedInTurn() throws Exception {
        int rounds = 100;
        try (PluginHarness harness =
                harness("Get", Map.of("message", Map.of("name", "y".repeat(5_000)), "streams", 8))) {
            List<PluginHarness.Owned> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(harness.client(i));
            }
            for (int round = 0; round < rounds; round++) {
                List<CallProbe> begun = new ArrayList<>();
                for (PluginHarness.Owned client : clients) {
                    begun.add(client.begin(0));
                }
                for (CallProbe call : begun) {
                    assertThat(call.awaitEnd(10_000)).isTrue();
                    assertThat(call.failure()).isNull();
                }
            }
            for (PluginHarness.Owned client : clients) {
                client.close();
            }
        }
        assertThat(calls).hasValue(8 * rounds);
    }
}
