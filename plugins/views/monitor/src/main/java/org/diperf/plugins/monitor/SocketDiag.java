package org.diperf.plugins.monitor;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the kernel for the TCP connections of a network (Linux, 64 bits): what {@code ss -ti} shows, without a process. One
 * connection costs some microseconds; looking for all walks through the kernel's table of all namespaces, about a millisecond.
 * Confined to one thread.
 */
final class SocketDiag implements TcpConnections {

    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int TIME_BYTES = 16;
    private static final int MESSAGE_BYTES = 1 << 16;
    private static final int MAX_AT_ONCE = 64;
    /** What one look for all keeps: beyond, a machine has more than anybody can follow. */
    private static final int MAX_FOUND = 10_000;

    static {
        Native.register(SocketDiag.class, NativeLibrary.getInstance("c"));
    }

    private final int socket;
    private final Memory room = new Memory(MESSAGE_BYTES);
    private final ByteBuffer view = room.getByteBuffer(0, MESSAGE_BYTES).order(ByteOrder.nativeOrder());

    private SocketDiag(int socket) {
        this.socket = socket;
    }

    /** Opens it in the network that the calling thread is in. */
    static SocketDiag open() throws IOException {
        return new SocketDiag(socketHere());
    }

    private static int socketHere() throws IOException {
        int made = check(socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG), "cannot query sockets");
        try (Memory second = new Memory(TIME_BYTES)) {
            second.setLong(0, 1);
            second.setLong(Long.BYTES, 0);
            setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, Pointer.nativeValue(second), TIME_BYTES);
        }
        return made;
    }

    private static int check(int result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": error " + Native.getLastError());
        }
        return result;
    }

    @Override
    public List<TcpConnection> all(TcpConnection.Choice choice) throws IOException {
        List<TcpConnection> found = new ArrayList<>();
        for (int family : new int[] {TcpConnection.Id.AF_INET, TcpConnection.Id.AF_INET6}) {
            if (choice.ports().isEmpty()) {
                ask(family, 0, 0, choice, found);
            }
            for (int port : choice.ports()) {
                ask(family, port, 0, choice, found);
                ask(family, 0, port, choice, found);
            }
        }
        return found;
    }

    private void ask(int family, int localPort, int peerPort, TcpConnection.Choice choice, List<TcpConnection> found)
            throws IOException {
        view.clear();
        SocketDiagMessages.askAll(family, localPort, peerPort, view);
        exchange(1, connection -> {
            if (choice.fits(connection.id()) && found.size() < MAX_FOUND && !holds(found, connection)) {
                found.add(connection);
            }
        });
    }

    private static boolean holds(List<TcpConnection> found, TcpConnection connection) {
        // Both of its ports are looked for: it is found twice.
        return connection.id().localPort() == connection.id().peerPort()
                && found.stream().anyMatch(each -> each.id().equals(connection.id()));
    }

    @Override
    public List<TcpConnection> of(List<TcpConnection.Id> ids) throws IOException {
        List<TcpConnection> found = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += MAX_AT_ONCE) {
            List<TcpConnection.Id> some = ids.subList(from, Math.min(ids.size(), from + MAX_AT_ONCE));
            view.clear();
            some.forEach(id -> SocketDiagMessages.ask(id, view));
            exchange(some.size(), found::add);
        }
        return found;
    }

    /** Sends what is in the buffer, and reads until so many questions are answered. */
    private void exchange(int questions, SocketDiagMessages.Found found) throws IOException {
        long base = Pointer.nativeValue(room);
        check((int) send(socket, base, view.position(), 0), "cannot query sockets");
        int answered = 0;
        while (answered < questions) {
            int length = check((int) recv(socket, base, MESSAGE_BYTES, 0), "the kernel does not report TCP sockets");
            view.clear().limit(length);
            answered += SocketDiagMessages.read(view, found);
        }
    }

    @Override
    public void close() {
        close(socket);
        room.close();
    }

    private static native int close(int file);

    private static native int socket(int domain, int type, int protocol);

    private static native int setsockopt(int socket, int level, int option, long value, int bytes);

    private static native long send(int socket, long from, long bytes, int flags);

    private static native long recv(int socket, long into, long bytes, int flags);
}
