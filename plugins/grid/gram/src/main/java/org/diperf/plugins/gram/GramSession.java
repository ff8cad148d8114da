package org.diperf.plugins.gram;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.diperf.plugins.lib.netty.LoopSession;
import org.diperf.plugins.lib.netty.RttSampler;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;

/** What the clients of a tester share. Thread-safe. */
final class GramSession extends LoopSession implements CallerIdentity {

    private final Settings settings;
    private final List<Gatekeeper> gatekeepers = new ArrayList<>();
    private final GsiCredentials credentials;
    private final Instant expires;
    private final Recorder recorder;
    private final NanoClock clock;
    private final Map<EventLoop, LoopResources> loopShares = new ConcurrentHashMap<>();
    private final AtomicLong jobs = new AtomicLong();

    GramSession(SessionContext context, NanoClock clock) throws IOException {
        super(new SessionLoops(context.timeout(), clock, context.recorder()));
        this.clock = clock;
        recorder = context.recorder();
        settings = Settings.of(context.with(), context.timeout());
        for (Url target : context.targets()) {
            gatekeepers.add(Gatekeeper.of(Contact.of(target)));
        }
        credentials = GsiCredentials.of(context.with(), "GRAM needs GSI");
        expires = credentials.expires();
    }

    @Override
    public Client newClient() {
        return new GramClient(this);
    }

    @Override
    public void close() {
        loopShares.values().forEach(LoopResources::close);
        super.close();
        credentials.close();
    }

    Settings settings() {
        return settings;
    }

    Gatekeeper gatekeeper(int target) {
        return gatekeepers.get(target);
    }

    @Override
    public GsiCredentials credentials() {
        return credentials;
    }

    /** Returns whether nobody would accept the credential any more. */
    boolean isExpired() {
        return expires.isBefore(Instant.now());
    }

    LoopResources shareOf(EventLoop loop) {
        return loopShares.computeIfAbsent(loop, any -> new LoopResources(this, recorder, loop));
    }

    @Override
    public NanoClock clock() {
        return clock;
    }

    @Override
    public long stepNanos() {
        return settings.stepNanos();
    }

    @Override
    public boolean delegatesLimited() {
        return settings.delegation() == Settings.Delegation.LIMITED;
    }

    @Override
    public @Nullable RttSampler sampler(EventLoop loop) {
        return loops().sampler(loop);
    }

    /** Numbers a job, for the URL at which its job manager finds it. */
    long nextJob() {
        return jobs.incrementAndGet();
    }
}
