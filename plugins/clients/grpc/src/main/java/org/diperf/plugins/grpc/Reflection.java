package org.diperf.plugins.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Loop;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Recorder;
import org.diperf.plugins.lib.http2.Fields;
import org.diperf.plugins.lib.http2.Http2Link;
import org.diperf.plugins.lib.http2.Http2Loop;
import org.diperf.plugins.lib.http2.Http2Peer;
import org.diperf.plugins.lib.http2.Http2Stream;
import org.diperf.plugins.lib.http2.RequestHead;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;

/**
 * Asks a service to describe its methods (gRPC server reflection, v1 and v1alpha), before the load begins. Blocks its caller; has an event loop
 * of its own.
 */
final class Reflection implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 10;
    private static final int BY_FILE = 3;
    private static final int BY_SYMBOL = 4;
    private static final int FILE_RESPONSE = 4;
    private static final int FILE = 1;
    private static final int ERROR_RESPONSE = 7;
    private static final int ERROR_MESSAGE = 2;
    private static final int MAX_FILES = 10_000;

    private final GrpcTarget target;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoop eventLoop = group.next();
    private final Http2Peer peer;
    private final Recorder recorder;
    private final RequestHead.Family family = new RequestHead.Family();
    private String version = "v1";
    private @Nullable Http2Link link;

    Reflection(GrpcTarget target, Http2Peer peer, Recorder recorder) {
        this.target = target;
        this.peer = peer;
        this.recorder = recorder;
    }

    /**
     * Learns all that a service's methods need.
     *
     * @param services full names
     * @throws IOException when the service cannot be asked or does not say
     */
    Schema describe(List<String> services) throws IOException {
        Schema schema = new Schema();
        for (String service : services) {
            for (byte[] file : ask(BY_SYMBOL, service)) {
                schema.addFile(file);
            }
        }
        int asked = 0;
        // A file comes without those that it refers to.
        for (String missing = schema.missingFile(); missing != null; missing = schema.missingFile()) {
            if (++asked > MAX_FILES) {
                throw new IOException("reflection: more than " + MAX_FILES + " files");
            }
            for (byte[] file : ask(BY_FILE, missing)) {
                schema.addFile(file);
            }
            schema.doWithout(missing);
        }
        return schema;
    }

    private List<byte[]> ask(int field, String what) throws IOException {
        byte[] question = UnknownFieldSet.newBuilder()
                .addField(
                        field,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8(what))
                                .build())
                .build()
                .toByteArray();
        Reply reply = exchange(question);
        if ("UNIMPLEMENTED".equals(reply.status) && version.equals("v1")) {
            version = "v1alpha";
            reply = exchange(question);
        }
        if (!"OK".equals(reply.status) || reply.messages.isEmpty()) {
            throw new IOException(
                    "reflection: expected a description of " + what + " from " + target.authority() + ", got "
                            + (reply.status == null ? "no gRPC response" : reply.status)
                            + ("UNIMPLEMENTED".equals(reply.status)
                                    ? ": the service does not support reflection; specify a descriptor file (descriptors: FILE, "
                                            + "created with protoc --include_imports --descriptor_set_out=FILE)"
                                    : ""));
        }
        try {
            return files(reply.messages.get(0), what);
        } catch (InvalidProtocolBufferException e) {
            throw new IOException("reflection: expected a description of " + what + ", got " + e.getMessage(), e);
        }
    }

    private static List<byte[]> files(byte[] answer, String what) throws IOException {
        UnknownFieldSet fields = UnknownFieldSet.parseFrom(answer);
        List<ByteString> refused = fields.getField(ERROR_RESPONSE).getLengthDelimitedList();
        if (!refused.isEmpty()) {
            List<ByteString> message = UnknownFieldSet.parseFrom(refused.get(0))
                    .getField(ERROR_MESSAGE)
                    .getLengthDelimitedList();
            throw new IOException("method: expected a name known to the service, got '" + what + "': "
                    + (message.isEmpty() ? "" : message.get(0).toStringUtf8()));
        }
        List<byte[]> files = new ArrayList<>();
        for (ByteString response : fields.getField(FILE_RESPONSE).getLengthDelimitedList()) {
            UnknownFieldSet.parseFrom(response)
                    .getField(FILE)
                    .getLengthDelimitedList()
                    .forEach(file -> files.add(file.toByteArray()));
        }
        return files;
    }

    /** What came back: a status, and messages. */
    private record Reply(@Nullable String status, List<byte[]> messages) {}

    private Reply exchange(byte[] question) throws IOException {
        RequestHead head = family.head()
                .fixed(":method", "POST")
                .fixed(":scheme", target.scheme())
                .fixed(":path", "/grpc.reflection." + version + ".ServerReflection/ServerReflectionInfo")
                .fixed(":authority", target.authority())
                .fixed("te", "trailers")
                .fixed("content-type", "application/grpc")
                .fixed("user-agent", "diperf")
                .build();
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        eventLoop.execute(() -> {
            Http2Link open = link;
            if (open == null) {
                open = new Http2Loop(new SessionLoops().of(new Only(eventLoop)), recorder, NanoClock.SYSTEM, 0)
                        .join(peer, 0);
                link = open;
            }
            open.begin(new Exchange(reply), head, Frame.of(question, 1), true, false);
        });
        try {
            return reply.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(
                    "reflection: " + target.authority() + " did not respond within " + PATIENCE_SECONDS + " s", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("reflection: " + target.authority() + ": " + cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static final class Exchange extends Http2Stream {

        private final CompletableFuture<Reply> reply;
        private final MessageCounter messages = new MessageCounter(new Memory(Long.MAX_VALUE));
        private @Nullable String status;

        Exchange(CompletableFuture<Reply> reply) {
            this.reply = reply;
            messages.reset(true);
        }

        @Override
        protected void head(Fields fields) {
            trailers(fields);
        }

        @Override
        protected void data(ByteBuf in, int from, int count) {
            messages.take(in, from, count);
        }

        @Override
        protected void trailers(Fields fields) {
            String code = Statuses.name(fields.first("grpc-status"));
            status = code == null ? status : code;
        }

        @Override
        protected void restarts() {
            messages.reset(true);
        }

        @Override
        protected void ended(@Nullable Failure failure) {
            if (failure != null) {
                reply.completeExceptionally(new IOException(failure.kind()));
            } else {
                reply.complete(new Reply(status, messages.kept()));
            }
        }
    }

    /** The event loop, as a tester's. */
    private record Only(EventLoop eventLoop) implements Loop {

        @Override
        public void execute(Runnable task) {
            eventLoop.execute(task);
        }

        @Override
        public long nanoTime() {
            return NanoClock.SYSTEM.nanoTime();
        }

        @Override
        public boolean inLoop() {
            return eventLoop.inEventLoop();
        }

        @Override
        public Timer timer(Runnable task) {
            throw new UnsupportedOperationException("No timer is needed here");
        }

        @Override
        public <T> Optional<T> unwrap(Class<T> type) {
            return type.isInstance(eventLoop) ? Optional.of(type.cast(eventLoop)) : Optional.empty();
        }
    }
}
