package org.diperf.plugins.mds;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.ClientChannel;
import org.diperf.plugins.lib.netty.Dialer;
import org.diperf.plugins.lib.netty.Security;
import org.jspecify.annotations.Nullable;

/**
 * A connection by LDAP, of one client or of all clients of a loop: then their searches are under way side by side. StartTLS
 * and bind belong to the query that opened it.
 */
final class LdapConnection implements Connection {

    private enum Phase {
        CLOSED,
        CONNECTING,
        START_TLS,
        HANDSHAKE,
        BINDING,
        READY
    }

    private static final String BEFORE_TLS = "start-tls: plaintext bytes after the answer";

    private final MdsSession session;
    private final Server server;
    private final EventLoop loop;
    private final Dialer dialer;
    private final @Nullable Security secured;
    private final boolean shared;
    /** Those that wait for the connection; the first one opened it. */
    private final Deque<Query> waiting = new ArrayDeque<>(1);

    private final IntObjectMap<Query> asked = new IntObjectHashMap<>(2);

    private Phase phase = Phase.CLOSED;
    private @Nullable ClientChannel line;
    private LdapReader reader = new LdapReader((id, operation, bytes, result) -> {});
    private int lastId;
    private long bindNanos;
    private boolean flushes;
    private int clients;

    LdapConnection(
            MdsSession session,
            Server server,
            EventLoop loop,
            Dialer dialer,
            @Nullable Security secured,
            boolean shared) {
        this.session = session;
        this.server = server;
        this.loop = loop;
        this.dialer = dialer;
        this.secured = secured;
        this.shared = shared;
    }

    /** Counts one more client, which will say {@link #close}. */
    void join() {
        clients++;
    }

    @Override
    public void ask(Query query) {
        ClientChannel open = line;
        if (phase == Phase.READY && open != null && open.isOpen()) {
            send(open, query);
            return;
        }
        waiting.add(query);
        if (phase == Phase.CLOSED) {
            connect();
        }
    }

    private void connect() {
        phase = Phase.CONNECTING;
        lastId = 0;
        Opening owner = new Opening();
        reader = new LdapReader(owner::message);
        ClientChannel made = new ClientChannel(dialer, secured, server.isSecure(), session.clock(), owner);
        line = made;
        owner.mine = made;
        made.connect();
    }

    private void send(ClientChannel open, Query query) {
        lastId = lastId == Integer.MAX_VALUE ? 1 : lastId + 1;
        query.id = lastId;
        asked.put(lastId, query);
        query.sending(session.clock().nanoTime());
        Dialogue telling = query.dialogue();
        if (telling != null) {
            telling.sent(query.request);
        }
        say(open, lastId, query.request);
    }

    private void say(ClientChannel open, int id, byte[] operation) {
        ByteBuf out = open.buffer(LdapMessage.maxBytes(operation));
        LdapMessage.write(id, operation, out);
        open.write(out);
        if (!shared) {
            open.flush();
        } else if (!flushes) {
            // What the clients of a loop say in one turn goes out together.
            flushes = true;
            loop.execute(() -> {
                flushes = false;
                ClientChannel now = line;
                if (now != null) {
                    now.flush();
                }
            });
        }
    }

    private void ready() {
        phase = Phase.READY;
        List<Query> ready = new ArrayList<>(waiting);
        waiting.clear();
        ClientChannel open = line;
        if (open != null) {
            ready.forEach(query -> send(open, query));
        }
    }

    private void lose(@Nullable String kind) {
        lose(kind == null ? null : Failure.ofService(kind));
    }

    private void lose(@Nullable Failure why) {
        Phase was = phase;
        boolean within = reader.isWithinMessage();
        hangUp();
        List<Query> ending = new ArrayList<>(waiting);
        waiting.clear();
        ending.addAll(asked.values());
        asked.clear();
        for (Query query : ending) {
            query.end(why != null ? why : Failure.ofService(closed(was, within || query.bytes > query.requestBytes)));
        }
    }

    private void hangUp() {
        ClientChannel closing = line;
        phase = Phase.CLOSED;
        line = null;
        if (closing != null) {
            closing.close();
        }
    }

    private static String closed(Phase was, boolean within) {
        return switch (was) {
            case START_TLS, HANDSHAKE -> "start-tls: closed before the answer";
            case BINDING -> "bind: closed before the answer";
            default -> within ? "closed in the middle of the answer" : "closed before the answer";
        };
    }

    @Override
    public void cancel(Query query) {
        if (!query.isUnderWay()) {
            return;
        }
        ClientChannel open = line;
        if (!shared) {
            lose("cancelled");
        } else if (waiting.remove(query)) {
            if (phase != Phase.READY && (waiting.isEmpty() || !query.waitedBefore)) {
                connectAnew();
            }
            query.end(Failure.ofService("cancelled"));
        } else if (asked.remove(query.id) == query && open != null) {
            lastId++;
            say(open, lastId, LdapMessage.abandon(query.id));
            query.end(Failure.ofService("cancelled"));
        }
    }

    /**
     * Gives up a connection that was not ready while a search waited for all of it: it never may be, and would fail all that come. Who
     * still waits gets another, which is not given up for having waited for this one too.
     */
    private void connectAnew() {
        hangUp();
        if (!waiting.isEmpty()) {
            waiting.forEach(each -> each.waitedBefore = true);
            connect();
        }
    }

    @Override
    public void close() {
        clients--;
        if (clients <= 0) {
            leave();
        }
    }

    private void leave() {
        ClientChannel open = line;
        line = null;
        if (phase == Phase.READY && open != null && open.isOpen()) {
            byte[] unbind = LdapMessage.unbind();
            ByteBuf out = open.buffer(LdapMessage.maxBytes(unbind));
            LdapMessage.write(lastId == Integer.MAX_VALUE ? 1 : lastId + 1, unbind, out);
            open.closeAfter(out);
        } else if (open != null) {
            open.close();
        }
        phase = Phase.CLOSED;
    }

    /** Opens the connection and takes what comes on it. */
    private final class Opening implements ClientChannel.Owner {

        private @Nullable ClientChannel mine;

        @Override
        public void opened() {
            Query first = waiting.peek();
            if (first != null) {
                first.connectNanos = open().connectNanos();
            }
            if (session.startsTls()) {
                phase = Phase.START_TLS;
                say(open(), ++lastId, LdapMessage.startTls());
                open().flush();
            } else {
                authenticate();
            }
        }

        private ClientChannel open() {
            ClientChannel open = line;
            if (open == null) {
                throw new IllegalStateException("The connection is closed");
            }
            return open;
        }

        private void authenticate() {
            Query first = waiting.peek();
            if (first != null) {
                first.tlsNanos = open().tlsNanos();
            }
            byte[] bind = session.bind();
            if (bind == null) {
                ready();
            } else {
                phase = Phase.BINDING;
                bindNanos = session.clock().nanoTime();
                say(open(), ++lastId, bind);
                open().flush();
            }
        }

        @Override
        public void received(Object message) {
            try {
                LdapReader current = reader;
                ByteBuf in = (ByteBuf) message;
                Query only = shared || phase != Phase.READY || asked.isEmpty()
                        ? null
                        : asked.values().iterator().next();
                if (only != null) {
                    only.came();
                    only.came(in);
                }
                current.read(in);
                if (phase == Phase.HANDSHAKE && current.isWithinMessage()) {
                    lose(BEFORE_TLS);
                }
            } catch (LdapReader.MalformedMessageException e) {
                lose(e.getMessage());
            }
        }

        @Override
        public void lost(@Nullable Failure why) {
            lose(why);
        }

        void message(int id, int operation, long bytes, byte[] result) throws LdapReader.MalformedMessageException {
            // Of the bytes that came with the last message for this side, the rest is for nobody.
            if (line == null || line != mine) {
                return;
            }
            if (id == 0 && operation == LdapMessage.EXTENDED_RESPONSE) {
                lose("disconnected: " + LdapReader.named(LdapReader.code(result)));
            } else if (phase == Phase.READY) {
                answer(id, operation, bytes, result);
            } else if (phase == Phase.START_TLS && operation == LdapMessage.EXTENDED_RESPONSE) {
                int code = LdapReader.code(result);
                if (code == 0) {
                    // What came in clear counts no more, the beginning of a message included: it may be anybody's.
                    phase = Phase.HANDSHAKE;
                    reader = new LdapReader(this::message);
                    open().secure(this::authenticate);
                } else {
                    lose("start-tls: " + LdapReader.named(code));
                }
            } else if (phase == Phase.HANDSHAKE) {
                lose(BEFORE_TLS);
            } else if (phase == Phase.BINDING && operation == LdapMessage.BIND_RESPONSE) {
                int code = LdapReader.code(result);
                if (code == 0) {
                    Query first = waiting.peek();
                    if (first != null) {
                        first.bindNanos = session.clock().nanoTime() - bindNanos;
                    }
                    ready();
                } else {
                    lose("bind: " + LdapReader.named(code));
                }
            } else {
                lose("unexpected LDAP message");
            }
        }

        private void answer(int id, int operation, long bytes, byte[] result)
                throws LdapReader.MalformedMessageException {
            Query query = asked.get(id);
            if (query == null) {
                return; // of a search that was abandoned
            }
            query.bytes += bytes;
            query.came();
            switch (operation) {
                case LdapMessage.SEARCH_ENTRY -> query.entries++;
                case LdapMessage.SEARCH_REFERENCE, LdapMessage.INTERMEDIATE_RESPONSE -> {}
                case LdapMessage.SEARCH_DONE -> {
                    int code = LdapReader.code(result);
                    asked.remove(id);
                    if (!session.keepsConnections()) {
                        leave();
                    }
                    query.end(code == 0 ? null : Failure.ofService("search: " + LdapReader.named(code)));
                }
                default -> lose("unexpected LDAP message");
            }
        }
    }
}
