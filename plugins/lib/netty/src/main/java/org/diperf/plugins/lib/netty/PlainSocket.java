package org.diperf.plugins.lib.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A connected socket without TLS that the loop's epoll serves straight, with no channel in between: a request costs one
 * write and one read, and allocates nothing. Made out of a connected channel, which then only owns the descriptor. Confined
 * to its event loop.
 */
public final class PlainSocket implements EpollIoHandle {

    private static final EpollIoOps READ = EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLRDHUP);
    private static final EpollIoOps READ_AND_WRITE = READ.with(EpollIoOps.EPOLLOUT);

    /** Hears what happens on the socket, on the event loop. */
    public interface Owner {

        /** The socket is ready for requests. */
        void taken(PlainSocket socket);

        /** Bytes came; the buffer is the loop's and valid during the call only. */
        void received(ByteBuf in);

        /** The other side closed, or the owner has given the channel up before it was taken. */
        void inactive();

        /** Reading or writing failed. */
        void broken(Throwable cause);

        /** A buffer that {@link #write(ByteBuf)} could not send at once has been sent. */
        default void sent() {}
    }

    private final EpollSocketChannel channel;
    private final FileDescriptor descriptor;
    private final LoopBuffers memory;
    private final Owner owner;
    private @Nullable IoRegistration registration;
    private byte @Nullable [] unsent;
    private @Nullable ByteBuf unsentBuffer;
    private int unsentFrom;
    private boolean closed;

    private PlainSocket(EpollSocketChannel channel, LoopBuffers memory, Owner owner) {
        this.channel = channel;
        this.descriptor = channel.fd();
        this.memory = memory;
        this.owner = owner;
    }

    /** Returns whether this loop and this memory allow such sockets. */
    public static boolean isPossible(EventLoop loop, LoopBuffers memory) {
        return loop instanceof IoEventLoop io
                && io.isCompatible(PlainSocket.class)
                && memory.input().hasMemoryAddress();
    }

    /** Takes over a connected channel that nobody has read from; its owner hears of it on the loop. */
    public static void take(EpollSocketChannel channel, LoopBuffers memory, Owner owner) {
        IoEventLoop loop = (IoEventLoop) channel.eventLoop();
        channel.deregister().addListener(left -> {
            if (!channel.isOpen()) {
                // Closed meanwhile, by either side: the descriptor's number may be another's by now.
                owner.inactive();
                return;
            }
            PlainSocket socket = new PlainSocket(channel, memory, owner);
            loop.register(socket).addListener(done -> {
                if (done.isSuccess()) {
                    IoRegistration made = (IoRegistration) done.getNow();
                    socket.registration = made;
                    made.submit(READ);
                    owner.taken(socket);
                } else {
                    owner.broken(new IOException("The socket cannot be registered", done.cause()));
                }
            });
        });
    }

    @Override
    public FileDescriptor fd() {
        return descriptor;
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
        EpollIoOps ops = ((EpollIoEvent) event).ops();
        try {
            if (ops.contains(EpollIoOps.EPOLLOUT)) {
                writeUnsent();
            }
            read();
        } catch (IOException e) {
            if (!closed) {
                owner.broken(e);
            }
        }
    }

    /** Reads once: what did not fit into the buffer brings the next event at once. */
    private void read() throws IOException {
        if (closed) {
            return;
        }
        ByteBuf in = memory.input();
        int count = descriptor.readAddress(in.memoryAddress(), 0, in.capacity());
        if (count > 0) {
            in.setIndex(0, count);
            owner.received(in);
        } else if (count < 0) {
            owner.inactive();
        }
    }

    /**
     * Sends a message; what the socket does not take at once follows when it can. Nothing may be unsent.
     *
     * @param bytes of the message
     * @param direct the same bytes in native memory, where they are there too
     */
    public void write(byte[] bytes, @Nullable ByteBuf direct) {
        int length = bytes.length;
        try {
            long address = direct != null ? direct.memoryAddress() : memory.addressOf(bytes, 0, length);
            int count = descriptor.writeAddress(address, 0, length);
            if (count < length) {
                unsentFrom = count;
                unsent = bytes;
                submit(READ_AND_WRITE);
            }
        } catch (IOException e) {
            brokenLater(e);
        }
    }

    /**
     * Sends what is in a buffer of the owner's, and empties it. What the socket does not take at once follows when it can, with whatever
     * the owner has added meanwhile.
     *
     * @param own in native memory; the same one each time
     */
    public void write(ByteBuf own) {
        if (unsentBuffer != null) {
            return;
        }
        try {
            if (!writeSome(own)) {
                unsentBuffer = own;
                submit(READ_AND_WRITE);
            }
        } catch (IOException e) {
            brokenLater(e);
        }
    }

    private boolean writeSome(ByteBuf own) throws IOException {
        int count = descriptor.writeAddress(own.memoryAddress(), own.readerIndex(), own.writerIndex());
        if (count < own.readableBytes()) {
            own.skipBytes(count).discardSomeReadBytes();
            return false;
        }
        own.clear();
        return true;
    }

    private void brokenLater(IOException e) {
        // After the caller has returned, as every other end of an exchange.
        channel.eventLoop().execute(() -> {
            if (!closed) {
                owner.broken(e);
            }
        });
    }

    private void writeUnsent() throws IOException {
        byte[] bytes = unsent;
        ByteBuf buffer = unsentBuffer;
        if (bytes != null) {
            int length = bytes.length - unsentFrom;
            unsentFrom += descriptor.writeAddress(memory.addressOf(bytes, unsentFrom, length), 0, length);
            if (unsentFrom == bytes.length) {
                unsent = null;
                submit(READ);
            }
        } else if (buffer != null && writeSome(buffer)) {
            unsentBuffer = null;
            submit(READ);
            owner.sent();
        }
    }

    private void submit(EpollIoOps ops) {
        if (registration != null) {
            registration.submit(ops);
        }
    }

    /** Returns whether every byte of the last message was taken. */
    public boolean allSent() {
        return unsent == null && unsentBuffer == null;
    }

    public boolean isOpen() {
        return !closed;
    }

    /** Closes the socket; also called by the loop when it shuts down. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            unsent = null;
            unsentBuffer = null;
            if (registration != null) {
                registration.cancel();
            }
            channel.close();
        }
    }
}
