package org.diperf.plugins.http;

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
final class PlainSocket implements EpollIoHandle {

    private static final EpollIoOps READ = EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLRDHUP);
    private static final EpollIoOps READ_AND_WRITE = READ.with(EpollIoOps.EPOLLOUT);

    /** Hears what happens on the socket, on the event loop. */
    interface Owner {

        /** The socket is ready for requests. */
        void taken(PlainSocket socket);

        /** Bytes came; the buffer is the loop's and valid during the call only. */
        void received(ByteBuf in);

        /** The other side closed. */
        void inactive();

        /** Reading or writing failed. */
        void broken(Throwable cause);
    }

    private final EpollSocketChannel channel;
    private final FileDescriptor descriptor;
    private final LoopShare share;
    private final Owner owner;
    private @Nullable IoRegistration registration;
    private byte @Nullable [] unsent;
    private int unsentFrom;
    private boolean closed;

    private PlainSocket(EpollSocketChannel channel, LoopShare share, Owner owner) {
        this.channel = channel;
        this.descriptor = channel.fd();
        this.share = share;
        this.owner = owner;
    }

    /** Returns whether this loop and this memory allow such sockets. */
    static boolean isPossible(EventLoop loop, LoopShare share) {
        return loop instanceof IoEventLoop io
                && io.isCompatible(PlainSocket.class)
                && share.input().hasMemoryAddress();
    }

    /** Takes over a connected channel that nobody has read from; its owner hears of it on the loop. */
    static void take(EpollSocketChannel channel, LoopShare share, Owner owner) {
        IoEventLoop loop = (IoEventLoop) channel.eventLoop();
        channel.deregister().addListener(left -> {
            if (!channel.isOpen()) {
                return; // given up meanwhile: the descriptor's number may be another's by now
            }
            PlainSocket socket = new PlainSocket(channel, share, owner);
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
            if (unsent != null && ops.contains(EpollIoOps.EPOLLOUT)) {
                writeUnsent(unsent);
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
        ByteBuf in = share.input();
        int count = descriptor.readAddress(in.memoryAddress(), 0, in.capacity());
        if (count > 0) {
            in.setIndex(0, count);
            owner.received(in);
        } else if (count < 0) {
            owner.inactive();
        }
    }

    /** Sends a request; what the socket does not take at once follows when it can. Nothing may be unsent. */
    void write(Requests.Encoded request) {
        int length = request.bytes().length;
        try {
            int count = descriptor.writeAddress(share.addressOf(request), 0, length);
            if (count < length) {
                unsentFrom = count;
                unsent = request.bytes();
                submit(READ_AND_WRITE);
            }
        } catch (IOException e) {
            // After the caller has returned, as every other end of an exchange.
            channel.eventLoop().execute(() -> {
                if (!closed) {
                    owner.broken(e);
                }
            });
        }
    }

    private void writeUnsent(byte[] bytes) throws IOException {
        int length = bytes.length - unsentFrom;
        unsentFrom += descriptor.writeAddress(share.addressOf(bytes, unsentFrom, length), 0, length);
        if (unsentFrom == bytes.length) {
            unsent = null;
            submit(READ);
        }
    }

    private void submit(EpollIoOps ops) {
        if (registration != null) {
            registration.submit(ops);
        }
    }

    /** Returns whether every byte of the last request was taken. */
    boolean allSent() {
        return unsent == null;
    }

    boolean isOpen() {
        return !closed;
    }

    /** Closes the socket; also called by the loop when it shuts down. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            unsent = null;
            if (registration != null) {
                registration.cancel();
            }
            channel.close();
        }
    }
}
