package org.diperf.plugins.gridftp;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.plugins.lib.gridftp.RealServer;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.jspecify.annotations.Nullable;

/** The servers that a way needs, those of stripes included. */
final class Servers implements AutoCloseable {

    private final List<RealServer> all = new ArrayList<>();
    private final @Nullable GsiWorld gsi;
    private final Path folder;
    private final RealServer near;
    private final @Nullable RealServer far;

    /**
     * Starts them.
     *
     * @param gsi what they trust, {@code null} for anonymous ones
     */
    Servers(Way way, @Nullable GsiWorld gsi, Path folder) throws Exception {
        this.gsi = gsi;
        this.folder = folder;
        boolean third = way.direction().equals("third-party");
        try {
            near = !third && way.isStriped() ? striped() : started();
            far = !third ? null : way.isStriped() ? striped() : started();
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    private RealServer started(String... more) throws Exception {
        RealServer server = gsi != null ? RealServer.of(gsi, folder, more) : RealServer.anonymous(folder, more);
        all.add(server);
        return server;
    }

    private RealServer striped() throws Exception {
        // With GSI the servers authenticate each other, by the name in their certificate.
        String nodes = "localhost:" + started("-dn").port() + ",localhost:"
                + started("-dn").port();
        return started("-r", nodes);
    }

    /** Returns the one that the client is told as the target. */
    RealServer near() {
        return near;
    }

    /** Returns the other one of a third-party transfer. */
    RealServer far() {
        if (far == null) {
            throw new IllegalStateException("Only a third-party transfer has another server");
        }
        return far;
    }

    @Override
    public void close() throws Exception {
        for (RealServer server : all) {
            server.close();
        }
    }
}
