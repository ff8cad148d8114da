package org.diperf.plugins.lib.gridftp.data;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gridftp.data.Settings.Direction;
import org.jspecify.annotations.Nullable;

/**
 * One of a client's sessions: the server, or the two of a third-party transfer, and the transfers under way there. Opened by
 * its first transfer. Confined to its event loop.
 */
public final class FtpSession {

    private final SessionResources resources;
    private final Settings settings;
    private final EventLoop loop;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final DataPath path;
    private final Set<Transfer> inFlight = new LinkedHashSet<>();
    private boolean opened;
    private int ready;
    private boolean retired;
    private boolean over;

    public FtpSession(SessionResources resources, Server server, @Nullable Server to, EventLoop loop) {
        this(resources, resources.settings(), server, to, loop);
    }

    /**
     * @param settings in the place of those of the resources
     */
    public FtpSession(
            SessionResources resources, Settings settings, Server server, @Nullable Server to, EventLoop loop) {
        this.resources = resources;
        this.settings = settings;
        this.loop = loop;
        boolean sends = settings.direction() != Direction.PUT;
        endpoints.add(endpoint(server, "target", to != null, sends));
        if (to != null) {
            endpoints.add(endpoint(to, "to", true, false));
            path = new ThirdPartyPath(this, endpoints.get(0), endpoints.get(1));
        } else if (!settings.extended()) {
            path = new StreamPath(this, endpoints.get(0));
        } else {
            path = sends ? new ExtendedGet(this, endpoints.get(0)) : new ExtendedPut(this, endpoints.get(0));
        }
    }

    private Endpoint endpoint(Server server, String role, boolean isOneOfTwo, boolean sends) {
        List<String> commands = new ArrayList<>();
        List<String> features = new ArrayList<>();
        if (settings.extended()) {
            commands.add("MODE E");
            features.add("PARALLEL");
        }
        if (settings.bufferBytes() > 0) {
            commands.add((sends ? "SITE RETRBUFSIZE " : "SITE STORBUFSIZE ") + settings.bufferBytes());
        }
        if (settings.extended() && sends) {
            int n = settings.parallelism();
            commands.add("OPTS RETR Parallelism=" + n + "," + n + "," + n + ";");
        }
        if (sends && settings.length() >= 0) {
            features.add("ERET");
        }
        if (!sends && settings.extended() && settings.offset() > 0) {
            features.add("ESTO");
        }
        if (settings.striped()) {
            features.add(sends ? "SPOR" : "SPAS");
        }
        if (settings.checksum() != null) {
            features.add("CKSM");
        }
        // Servers that cannot be asked for markers each second send them when they like.
        List<String> wishes = !settings.managed() ? null : sends ? List.of() : List.of("TREV PERF 1", "TREV RESTART 1");
        return new Endpoint(resources, server, role, isOneOfTwo, loop, commands, wishes, features, this::lost);
    }

    SessionResources resources() {
        return resources;
    }

    Settings settings() {
        return settings;
    }

    EventLoop loop() {
        return loop;
    }

    /** Returns whether it takes no more transfers; another session must be made for the next. */
    public boolean isUsedUp() {
        return over || retired;
    }

    /** Returns whether a server of it is not yet connected, logged in and set up. */
    public boolean isLoggingIn() {
        return ready < endpoints.size();
    }

    /**
     * Looks whether a server that is not yet set up owes an answer and has been silent for too long; to be asked now and then.
     *
     * @return what it owes, {@code null} as long as the session need not be given up
     */
    public @Nullable Failure silentInLogIn(long nowNanos, long mostNanos) {
        Failure found = null;
        for (Endpoint endpoint : endpoints) {
            Failure silent = endpoint.isReady() ? null : endpoint.silent(nowNanos, mostNanos);
            found = found == null ? silent : found;
        }
        return found;
    }

    public int inFlight() {
        return inFlight.size();
    }

    public void begin(Transfer transfer) {
        inFlight.add(transfer);
        // What is said for several transfers at once is nobody's.
        endpoints.forEach(endpoint -> endpoint.tell(inFlight.size() == 1 ? transfer.told() : null));
        if (!opened) {
            opened = true;
            for (Endpoint endpoint : endpoints) {
                endpoint.open(() -> ready(transfer));
            }
        } else if (ready == endpoints.size()) {
            path.begin(transfer);
        }
    }

    private void ready(Transfer first) {
        if (over || ++ready < endpoints.size()) {
            return;
        }
        double connect = 0;
        double login = 0;
        for (Endpoint endpoint : endpoints) {
            connect = Math.max(connect, endpoint.connectMillis());
            login = Math.max(login, endpoint.loginMillis());
        }
        first.opened(connect, login);
        for (Transfer waiting : List.copyOf(inFlight)) {
            if (!over) {
                path.begin(waiting);
            }
        }
    }

    /** Ends a transfer; a session that a failure may have left in an unknown state takes no more. */
    void finish(Transfer transfer, @Nullable Failure failure) {
        if (failure == null && settings().checksum() != null && inFlight.contains(transfer)) {
            verify(transfer);
        } else {
            end(transfer, failure);
        }
    }

    private void end(Transfer transfer, @Nullable Failure failure) {
        if (!inFlight.remove(transfer)) {
            return;
        }
        path.ended(transfer);
        if (!settings().keepsSession()
                || (failure != null && (transfer.started || settings().extended()))) {
            retired = true;
        }
        if (retired && inFlight.isEmpty()) {
            close();
        }
        // The last thing done here: the next call may begin within it.
        transfer.end(failure);
    }

    /** Compares what a server says of its file with the other server's word, or with this side's data. */
    private void verify(Transfer transfer) {
        transfer.verifying = true;
        boolean between = endpoints.size() > 1;
        String file = between ? transfer.toPath : transfer.path;
        ask(endpoints.get(endpoints.size() - 1), file, transfer, there -> {
            if (between) {
                ask(endpoints.get(0), transfer.path, transfer, here -> compare(transfer, here, there));
                return;
            }
            Failure failure = transfer.closeLocal();
            if (failure != null) {
                end(transfer, failure);
                return;
            }
            resources
                    .checksums()
                    .of(transfer.localFile())
                    .whenComplete((here, thrown) -> loop.execute(() -> {
                        if (thrown != null) {
                            end(transfer, transfer.ofLocalFile(thrown));
                        } else {
                            compare(transfer, here, there);
                        }
                    }));
        });
    }

    private void ask(Endpoint endpoint, String file, Transfer transfer, Consumer<String> then) {
        endpoint.control().send("CKSM " + settings().checksum() + " 0 -1 " + file, reply -> {
            if (reply.isPositive()) {
                then.accept(reply.text().strip().toLowerCase(Locale.ROOT));
            } else {
                end(transfer, Failure.ofService("CKSM: " + reply.cause()));
            }
        });
    }

    private void compare(Transfer transfer, String here, String there) {
        end(transfer, here.equals(there) ? null : Failure.ofService("wrong checksum"));
    }

    /**
     * Tells a server what of a file is there. The command that follows at once is the one it holds for, so nobody waits for the answer in
     * between; a server that refuses it would send the whole file.
     */
    void restart(Endpoint endpoint, Transfer transfer) {
        endpoint.control().send("REST " + transfer.stored(), reply -> {
            if (!reply.wantsMore() && !reply.isPositive()) {
                lost(Failure.ofService("REST: " + reply.cause()));
            }
        });
    }

    /** Returns the longest round trip to its servers seen while it was set up, in nanoseconds; 0 as long as it is not. */
    public long roundTripNanos() {
        return endpoints.stream().mapToLong(Endpoint::roundTripNanos).max().orElse(0);
    }

    /** Gives up the session, with all that is under way in it. */
    public void lost(Failure why) {
        if (over) {
            return;
        }
        close();
        List<Transfer> ending = List.copyOf(inFlight);
        inFlight.clear();
        for (Transfer transfer : ending) {
            transfer.abandon(why);
        }
    }

    /** Gives up the session when a transfer for this is under way in it. */
    public boolean cancel(Object of) {
        for (Transfer transfer : inFlight) {
            if (transfer.isOf(of)) {
                lost(Failure.ofService("cancelled"));
                return true;
            }
        }
        return false;
    }

    public void close() {
        over = true;
        endpoints.forEach(Endpoint::close);
        path.close();
    }
}
