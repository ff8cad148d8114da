package org.diperf.plugins.gridftp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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
import org.diperf.plugins.gridftp.managed.JobMetrics;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gridftp.data.Settings;
import org.diperf.plugins.lib.gridftp.data.TransferMetrics;
import org.diperf.plugins.lib.gsi.GsiCredentials;

/** Moves files by GridFTP: {@code ftp://host:port/path}, {@code gsiftp://host:port/path}. */
public final class GridFtpPlugin implements ClientPlugin {

    private final NanoClock clock;

    /** Makes one whose sessions measure by the machine's clock. */
    public GridFtpPlugin() {
        this(NanoClock.SYSTEM);
    }

    GridFtpPlugin(NanoClock clock) {
        this.clock = clock;
    }

    @Override
    public String id() {
        return "gridftp";
    }

    @Override
    public String summary() {
        return "transfers files over GridFTP: parallel streams, reused data channels, pipelining, third-party "
                + "transfers, GSI";
    }

    @Override
    public Set<String> schemes() {
        return Set.of("gridftp", "gsiftp");
    }

    @Override
    public Set<ClientTrait> traits() {
        return Set.of(ClientTrait.MAKES_CALLS_AT_ONCE, ClientTrait.MOVES_DATA);
    }

    @Override
    public String exampleTarget() {
        return "gridftp://127.0.0.1:2811/data/file.bin";
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(List.of(Parameter.withDefault(
                        "direction",
                        Type.STRING,
                        "get",
                        "get: download to the tester; put: upload from the tester; third-party: transfer from the "
                                + "target to another server")
                .oneOf("get", "put", "third-party")));
        all.addAll(common());
        all.addAll(List.of(
                Parameter.optional("length", Type.SIZE, "number of bytes to transfer, starting at the offset")
                        .suchAs("10MiB"),
                Parameter.withDefault(
                                "checksum",
                                Type.STRING,
                                "none",
                                "checksum used to compare whole files (CKSM), as part of the call")
                        .oneOf("none", "MD5", "SHA1", "SHA256", "SHA512", "ADLER32"),
                Parameter.optional("to", Type.STRING, "destination of a third-party transfer, ftp://host:port/path")
                        .suchAs("gridftp://127.0.0.2:2811/data/copy.bin"),
                Parameter.optional(
                                "mode",
                                Type.STRING,
                                "stream, or extended block mode (MODE E), which managed transfers always use; default: stream")
                        .oneOf("stream", "extended")
                        .suchAs("extended"),
                Settings.PARALLELISM,
                Parameter.withDefault(
                        "pipelining",
                        Type.INTEGER,
                        "1",
                        "number of transfers requested in advance per session, in extended mode"),
                Parameter.withDefault(
                        "block", Type.SIZE, "256KiB", "largest block of an upload, in extended mode, from 1 to 256KiB"),
                Parameter.withDefault(
                        "cache-data-channels",
                        Type.BOOLEAN,
                        "true",
                        "keep data channels for the next transfer, in extended mode"),
                Parameter.withDefault(
                        "striped", Type.BOOLEAN, "false", "transfer data from or to all stripes (SPAS, SPOR)"),
                Parameter.withDefault(
                                "dcau",
                                Type.STRING,
                                "none",
                                "authentication of data channels after GSI; none: no authentication; self: with "
                                        + "your identity")
                        .oneOf("none", "self"),
                GsiCredentials.PROXY_FILE,
                GsiCredentials.CA_DIR,
                Parameter.withDefault(
                        "managed",
                        Type.BOOLEAN,
                        "false",
                        "one call transfers all files, or a folder, as one job: sessions, streams and pipelining "
                                + "are chosen automatically, and failed transfers resume where they stopped"),
                Parameter.optional(
                                "retries",
                                Type.INTEGER,
                                "consecutive faults without progress after which a managed transfer gives up on a file or "
                                        + "server; default: 5")
                        .suchAs("5"),
                Parameter.optional(
                                "stall",
                                Type.DURATION,
                                "time without data, or without a server's answer while listing files or logging in, after which "
                                        + "a managed transfer gives up on a session; default: 60s")
                        .suchAs("60s"),
                Parameter.optional("data-ports", Type.STRING, "range of local ports for data connections to the tester")
                        .suchAs("20000-20100")));
        return List.copyOf(all);
    }

    /** Lists what plain FTP has too, but for the direction. */
    static List<Parameter> common() {
        return List.of(
                Settings.PATH,
                Settings.FILES,
                Settings.SIZE,
                Parameter.withDefault("offset", Type.SIZE, "0", "offset of the first byte to transfer"),
                Settings.SINK,
                Settings.SOURCE,
                Parameter.withDefault(
                        "concurrency", Type.INTEGER, "1", "sessions per client, each with its own transfers"),
                Settings.BUFFER,
                Parameter.withDefault(
                                "data-host",
                                Type.STRING,
                                "same",
                                "host for data connections; same: the host of the control connection, and the call "
                                        + "fails if the server specifies a different one; told: the host that the "
                                        + "server specifies, as striped servers require; control: always the host "
                                        + "of the control connection")
                        .oneOf("same", "told", "control"),
                Parameter.withDefault("user", Type.STRING, "anonymous", "user name, if the URL has none"),
                Parameter.withDefault("password", Type.STRING, "diperf@", "password to log in with"),
                Parameter.withDefault(
                                "connection",
                                Type.STRING,
                                "keep",
                                "keep the session for the next call, or open a new one for every call")
                        .oneOf("keep", "new"),
                Parameter.optional(
                                "record-dialogue",
                                Type.STRING,
                                "file on the tester that records all commands and replies")
                        .suchAs("/tmp/dialogue.log"));
    }

    @Override
    public List<Metric> metrics() {
        return Stream.concat(TransferMetrics.ALL.stream(), JobMetrics.ALL.stream())
                .toList();
    }

    @Override
    public void check(Url target, Parameters with) {
        Server server = Server.of(target, "target");
        Settings settings = Settings.of(with);
        if (isManaged(with)) {
            ManagedTransferClient.check(server, settings, with);
        } else {
            for (String key : List.of("retries", "stall")) {
                if (with.has(key)) {
                    throw new IllegalArgumentException(
                            key + ": applies only to managed: true; set that, or drop " + key);
                }
            }
            settings.check();
        }
        Url to = settings.to();
        boolean secure = server.secure() || (to != null && Server.of(to, "to").secure());
        if (settings.authentication() == Settings.Authentication.SELF && !secure) {
            throw new IllegalArgumentException(
                    "dcau: expected a gsiftp:// target for self, got '" + target + "'; drop dcau");
        }
    }

    /** Returns whether a call is a job of many files. */
    static boolean isManaged(Parameters with) {
        return with.has("managed") && with.bool("managed");
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return List.of(Server.of(target, "target").address());
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        return !isManaged(with) && FtpStandIn.suits(Settings.of(with))
                ? Optional.of(FtpStandIn.start())
                : Optional.empty();
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new GridFtpSession(context, clock);
    }
}
