package org.diperf.plugins.srm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.data.Settings;
import org.diperf.plugins.lib.gsi.GsiCredentials;

/** Asks storage resource managers for files and moves them: {@code srm://host:port/path}. */
public final class SrmPlugin implements ClientPlugin {

    @Override
    public String id() {
        return "srm";
    }

    @Override
    public String summary() {
        return "requests files from a storage resource manager (SRM v2.2) and transfers them over GridFTP";
    }

    @Override
    public Set<String> schemes() {
        return Set.of("srm", "httpg");
    }

    @Override
    public Set<ClientTrait> traits() {
        return Set.of(ClientTrait.MAKES_CALLS_AT_ONCE);
    }

    @Override
    public String exampleTarget() {
        return "srm://127.0.0.1:8443/data/file.bin";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault(
                                "operation",
                                Type.STRING,
                                "get",
                                "get: prepare, wait until pinned, download, release; put: prepare, wait for space, upload, put "
                                        + "done; bring-online: wait until on disk; copy: by the manager; ls: list; ping: query "
                                        + "the version")
                        .oneOf(SrmSettings.Operation.texts()),
                Parameter.withDefault(
                        "transfer",
                        Type.BOOLEAN,
                        "true",
                        "transfer the file; if false, only SRM requests are sent: get releases the file "
                                + "immediately, and put aborts once there is space"),
                Settings.PATH,
                Settings.FILES,
                Parameter.optional("copy-to", Type.TEXT, "SURL or path to copy the file to")
                        .suchAs("srm://h:8443/f"),
                Parameter.optional("copy-from", Type.TEXT, "SURL or path to copy the file from")
                        .suchAs("srm://h:8443/f"),
                Parameter.withDefault(
                        "batch",
                        Type.INTEGER,
                        "1",
                        "maximum number of files per request; each file " + "is a separate call"),
                Parameter.withDefault("gather", Type.DURATION, "10ms", "time a request waits for its batch to fill up"),
                Parameter.withDefault(
                        "poll",
                        Type.DURATION,
                        "100ms",
                        "time until the first status request if the server gives no estimatedWaitTime; doubled for "
                                + "each further request"),
                Parameter.withDefault("most-poll", Type.DURATION, "10s", "maximum time between two status requests"),
                Parameter.withDefault(
                        "protocols", Type.TEXTS, "gsiftp", "transfer protocols to offer, in order of " + "preference"),
                Parameter.withDefault("storage-type", Type.STRING, "PERMANENT", "desiredFileStorageType")
                        .oneOf("VOLATILE", "DURABLE", "PERMANENT"),
                Parameter.withDefault("request-time", Type.DURATION, "1h", "desiredTotalRequestTime"),
                Parameter.optional("pin-time", Type.DURATION, "desiredPinLifeTime; default: the server's")
                        .suchAs("10m"),
                Parameter.optional("space-token", Type.STRING, "token of a reserved space (targetSpaceToken)")
                        .suchAs("ATLASDATADISK"),
                Parameter.optional(
                                "overwrite", Type.STRING, "overwriteOption of a put or a copy; default: the server's")
                        .oneOf("NEVER", "ALWAYS", "WHEN_FILES_ARE_DIFFERENT")
                        .suchAs("ALWAYS"),
                Parameter.withDefault(
                        "levels", Type.INTEGER, "0", "folder levels below the path that ls lists (numOfLevels)"),
                Parameter.withDefault(
                        "detailed", Type.BOOLEAN, "true", "list all details of each file (fullDetailedList)"),
                Settings.SIZE,
                Settings.SINK,
                Settings.SOURCE,
                Parameter.withDefault("mode", Type.STRING, "stream", "stream, or extended block mode (MODE E)")
                        .oneOf("stream", "extended"),
                Settings.PARALLELISM,
                Settings.BUFFER,
                Parameter.withDefault(
                                "connection",
                                Type.STRING,
                                "keep",
                                "keep the connections to the manager and the GridFTP server for the next call, or "
                                        + "open new ones for every call")
                        .oneOf("keep", "new"),
                GsiCredentials.PROXY_FILE,
                GsiCredentials.CA_DIR);
    }

    @Override
    public List<Metric> metrics() {
        return SrmMetrics.all();
    }

    @Override
    public void check(Url target, Parameters with) {
        SrmTarget.of(target);
        SrmSettings.of(with).check();
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return List.of(SrmTarget.of(target).server().unresolved());
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        SrmSettings settings = SrmSettings.of(with);
        boolean harmless = settings.transfers().local() == null;
        return harmless ? Optional.of(new SrmStandIn()) : Optional.empty();
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new SrmSession(context, NanoClock.SYSTEM);
    }
}
