package org.diperf.plugins.gram;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.GsiCredentials;

/** Runs jobs through GRAM: {@code gram://host:port/service}. */
public final class GramPlugin implements ClientPlugin {

    static final Metric CONNECT = new Metric("connect", "ms", "time to set up the TCP connection to the gatekeeper");
    static final Metric AUTHENTICATE =
            new Metric("authenticate", "ms", "time of the TLS handshake with the gatekeeper");
    static final Metric DELEGATE = new Metric("delegate", "ms", "time to delegate a proxy to the gatekeeper");
    static final Metric SUBMIT = new Metric(
            "submit", "ms", "time from sending the job or ping to the answer from the gatekeeper or job manager");
    static final Metric DONE = new Metric(
            "done", "ms", "time from the answer to the submission until the " + "notification that the job ended");
    static final Metric CANCEL = new Metric("cancel", "ms", "time from the cancellation request to its answer");

    static final Parameter CALLBACK_HOST = Parameter.optional(
                    "callback-host",
                    Type.STRING,
                    "address at which job managers reach this machine; default: the local address of its "
                            + "connections to them")
            .suchAs("192.0.2.7");

    static final Parameter CALLBACK_PORTS = Parameter.optional(
                    "callback-ports", Type.STRING, "range of local ports for connections from job managers")
            .suchAs("20000-20100");

    private static final Duration ANY = Duration.ofMinutes(1);

    @Override
    public String id() {
        return "gram";
    }

    @Override
    public String summary() {
        return "runs jobs through GRAM: submission over GSI, job states by callback or polling, cancellation, "
                + "output";
    }

    @Override
    public String exampleTarget() {
        return "gram://localhost:2119/jobmanager-fork";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault(
                        "rsl",
                        Type.TEXT,
                        "&(executable=/bin/true)",
                        "the job, in RSL; ${...} is replaced for every call"),
                Parameter.withDefault(
                                "until",
                                Type.STRING,
                                "done",
                                "when a call succeeds; ping: the gatekeeper answers a ping; submitted: it accepts "
                                        + "the job; active: the job runs; done: the job ends; cancelled: the job "
                                        + "is cancelled, which is requested as soon as it waits or runs")
                        .oneOf("ping", "submitted", "active", "done", "cancelled"),
                Parameter.withDefault(
                                "states",
                                Type.STRING,
                                "callback",
                                "how the tester gets job states; callback: the job manager connects to it; poll: "
                                        + "the tester polls")
                        .oneOf("callback", "poll"),
                Parameter.withDefault("poll-every", Type.DURATION, "1s", "time between two polls of a job's state"),
                Parameter.withDefault(
                        "output",
                        Type.BOOLEAN,
                        "false",
                        "send the job's stdout and stderr to the tester, as part of the call"),
                Parameter.withDefault(
                                "delegation",
                                Type.STRING,
                                "limited",
                                "type of proxy delegated to the gatekeeper; a limited proxy cannot start further "
                                        + "jobs")
                        .oneOf("limited", "full"),
                always(GsiCredentials.PROXY_FILE),
                always(GsiCredentials.CA_DIR),
                CALLBACK_HOST,
                CALLBACK_PORTS,
                Parameter.optional(
                                "step-timeout",
                                Type.DURATION,
                                "time limit per step (connect, authenticate, delegate, submit, cancel, status); a "
                                        + "failure names the step; default: three quarters of load.timeout")
                        .suchAs("20s"));
    }

    /** GRAM wants GSI, whatever the target. */
    private static Parameter always(Parameter file) {
        return Parameter.required(file.name(), file.type(), file.help()).suchAs(requireNonNull(file.example()));
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> all = new ArrayList<>(List.of(CONNECT, AUTHENTICATE, DELEGATE, SUBMIT));
        for (JobState state : JobState.values()) {
            if (!state.isLast()) {
                all.add(state.metric());
            }
        }
        all.add(DONE);
        all.add(CANCEL);
        all.add(LateJobStates.STATE);
        return List.copyOf(all);
    }

    @Override
    public void check(Url target, Parameters with) {
        Contact.of(target);
        Settings.of(with, ANY).check();
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return List.of(Contact.of(target).server().unresolved());
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        return Optional.of(GramStandIn.start(GsiCredentials.of(with, "GRAM needs GSI")));
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new GramSession(context, NanoClock.SYSTEM);
    }
}
