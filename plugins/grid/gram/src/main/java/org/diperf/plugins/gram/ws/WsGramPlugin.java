package org.diperf.plugins.gram.ws;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.ConnectionReporter;
import org.diperf.plugins.lib.netty.HttpTarget;

/** Runs jobs through WS-GRAM, over WSRF: {@code http://host:port/wsrf/services/ManagedJobFactoryService}. */
public final class WsGramPlugin implements ClientPlugin {

    static final Metric CONNECT = new Metric("connect", "ms", "time to set up TCP connections, if the call opened any");
    static final Metric CREATE =
            new Metric("create", "ms", "time from the job request to its answer, including the connection");
    static final Metric PENDING = new Metric("state.pending", "ms", "time the job waited, as reported");
    static final Metric ACTIVE = new Metric("state.active", "ms", "time the job ran, as reported");
    static final Metric DONE = new Metric("done", "ms", "time from the request until the job's end was reported");
    static final Metric DESTROY = new Metric("destroy", "ms", "time from the end of the job until it was destroyed");

    @Override
    public String id() {
        return "wsgram";
    }

    @Override
    public String summary() {
        return "runs jobs through WS-GRAM: creates them, tracks them by notifications, destroys them";
    }

    @Override
    public Set<String> schemes() {
        return Set.of();
    }

    @Override
    public String exampleTarget() {
        return "http://127.0.0.1:8080/wsrf/services/ManagedJobFactoryService";
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(List.of(
                Parameter.withDefault("executable", Type.TEXT, "/bin/true", "program that a job runs"),
                Parameter.optional("arguments", Type.TEXTS, "its arguments").suchAs("[\"10\"]"),
                Parameter.withDefault(
                                "until",
                                Type.STRING,
                                "done",
                                "when a call succeeds; created: the job is created, and left running; done: the "
                                        + "job has ended and is destroyed")
                        .oneOf("created", "done")));
        all.add(ConnectionReporter.KEEP);
        all.addAll(ClientTls.PARAMETERS);
        return List.copyOf(all);
    }

    @Override
    public List<Metric> metrics() {
        return List.of(CONNECT, CREATE, PENDING, ACTIVE, DONE, DESTROY);
    }

    @Override
    public void check(Url target, Parameters with) {
        HttpTarget.of(target);
        if (with.text("executable").toString().isBlank()) {
            throw new Parameters.Unusable(
                    "executable", "expected the path of a program, got ''; drop it to use /bin/true");
        }
        ClientTls.check(with);
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return List.of(HttpTarget.of(target).server().unresolved());
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new WsGramSession(context, NanoClock.SYSTEM);
    }
}
