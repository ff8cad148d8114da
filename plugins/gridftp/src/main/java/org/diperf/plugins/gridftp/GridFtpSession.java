package org.diperf.plugins.gridftp;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;

/** What the clients of a tester share. Thread-safe. */
final class GridFtpSession implements Session {

    private final Settings settings;
    private final List<Server> servers = new ArrayList<>();
    private final @Nullable Server to;
    private final Recorder recorder;
    private final NanoClock clock;
    private final SessionLoops loops = new SessionLoops();
    private final Map<EventLoop, Meter> meters = new ConcurrentHashMap<>();
    private final Map<EventLoop, Connections> connections = new ConcurrentHashMap<>();
    private final @Nullable Writer dialogues;
    private final AtomicInteger channels = new AtomicInteger();
    private final long startNanos;
    private final @Nullable GsiCredentials gsi;
    private final @Nullable Checksums checksums;

    GridFtpSession(SessionContext context, NanoClock clock) throws IOException {
        settings = Settings.of(context.with());
        for (URI target : context.targets()) {
            servers.add(Server.of(target, "target").resolved());
        }
        URI second = settings.to();
        to = second == null ? null : Server.of(second, "to").resolved();
        recorder = context.recorder();
        this.clock = clock;
        startNanos = clock.nanoTime();
        gsi = isSecure() ? GsiCredentials.of(context.with()) : null;
        checksums = settings.checksum() == null ? null : new Checksums(settings.checksum(), settings.size());
        dialogues = settings.dialogue() == null
                ? null
                : Files.newBufferedWriter(Path.of(settings.dialogue()), StandardCharsets.UTF_8);
    }

    @Override
    public Client newClient() {
        return new GridFtpClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return AsyncClient.class;
    }

    @Override
    public void close() throws IOException {
        meters.values().forEach(Meter::close);
        loops.close();
        if (gsi != null) {
            gsi.close();
        }
        if (checksums != null) {
            checksums.close();
        }
        Writer file = dialogues;
        if (file != null) {
            synchronized (file) {
                file.close();
            }
        }
    }

    Settings settings() {
        return settings;
    }

    List<Server> servers() {
        return servers;
    }

    @Nullable
    Server to() {
        return to;
    }

    NanoClock clock() {
        return clock;
    }

    SessionLoops loops() {
        return loops;
    }

    Meter meterOf(EventLoop loop) {
        return meters.computeIfAbsent(loop, any -> new Meter(loop, recorder, clock));
    }

    Connections connectionsOf(EventLoop loop) {
        return connections.computeIfAbsent(loop, any -> new Connections(loop, settings.bufferBytes()));
    }

    /** Gives the place where the next control channel's dialogue goes. */
    Dialogue dialogue() {
        return dialogues == null
                ? Dialogue.NONE
                : new Dialogue(dialogues, clock, startNanos, channels.incrementAndGet());
    }

    /** Says whether a server wants GSI. */
    boolean isSecure() {
        return (to != null && to.secure()) || servers.stream().anyMatch(Server::secure);
    }

    Checksums checksums() {
        Checksums made = checksums;
        if (made == null) {
            throw new IllegalStateException("No checksum was asked for");
        }
        return made;
    }

    GsiCredentials gsi() {
        GsiCredentials given = gsi;
        if (given == null) {
            throw new IllegalStateException("No server wants GSI");
        }
        return given;
    }
}
