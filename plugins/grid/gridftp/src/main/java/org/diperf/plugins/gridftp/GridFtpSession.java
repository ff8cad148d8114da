package org.diperf.plugins.gridftp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gridftp.data.SessionResources;
import org.diperf.plugins.lib.gridftp.data.Settings;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.jspecify.annotations.Nullable;

/** The servers that the clients of a tester move files to and from, and what these clients share. Thread-safe. */
final class GridFtpSession implements Session {

    private final List<Server> servers = new ArrayList<>();
    private final @Nullable Server to;
    private final SessionResources resources;
    private final boolean managed;
    private final int retries;
    private final long stallNanos;

    GridFtpSession(SessionContext context, NanoClock clock) throws IOException {
        Settings settings = Settings.of(context.with());
        managed = GridFtpPlugin.isManaged(context.with());
        retries = (int) ManagedTransferClient.retries(context.with());
        stallNanos = ManagedTransferClient.stall(context.with()).toNanos();
        for (Url target : context.targets()) {
            servers.add(Server.of(target, "target").resolved());
        }
        Url second = settings.to();
        to = second == null ? null : Server.of(second, "to").resolved();
        boolean secure = (to != null && to.secure()) || servers.stream().anyMatch(Server::secure);
        resources = new SessionResources(
                context, settings, secure ? GsiCredentials.of(context.with(), "a target is gsiftp://") : null, clock);
    }

    @Override
    public Client newClient() {
        return managed ? new ManagedTransferClient(this, retries, stallNanos) : new GridFtpClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return AsyncClient.class;
    }

    @Override
    public void close() throws IOException {
        resources.close();
    }

    List<Server> servers() {
        return servers;
    }

    /** Returns the server that third-party transfers go to, {@code null} for other transfers. */
    @Nullable
    Server to() {
        return to;
    }

    SessionResources resources() {
        return resources;
    }
}
