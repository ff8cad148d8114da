package org.diperf.plugins.monitor;

import java.nio.file.Path;
import java.util.List;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Regex;

/** The monitor {@code log}. */
public final class LogPlugin implements MonitorPlugin {

    private static final String NGINX = "$msec $status $bytes_sent $request_time";

    @Override
    public String id() {
        return "log";
    }

    @Override
    public String summary() {
        return "an access log on this machine: the service's throughput and response time, to compare with the "
                + "clients'";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required("path", Type.STRING, "log file of the service; read after the run"),
                Parameter.withDefault(
                        "format",
                        Type.STRING,
                        NGINX,
                        "nginx's log_format string, preferably with $msec for the time; or gridftp: the format of "
                                + "globus-gridftp-server -log-transfer"),
                Parameter.optional(
                        "regex",
                        Type.STRING,
                        "instead of format: a regular expression with the groups time (Unix seconds, ISO 8601 or"
                                + " common log format), status, bytes, and duration or start"),
                Parameter.withDefault("duration-unit", Type.STRING, "s", "unit of the group duration")
                        .oneOf("s", "ms", "us"),
                Parameter.optional("only", Type.STRING, "regular expression that lines must match to be counted")
                        .parsedBy(Regex::compile));
    }

    @Override
    public void check(Parameters with) {
        try {
            format(with);
        } catch (IllegalArgumentException e) {
            throw new Parameters.Unusable(with.has("regex") ? "regex" : "format", String.valueOf(e.getMessage()));
        }
    }

    private static LogFormat format(Parameters with) {
        return with.has("regex")
                ? LogFormat.ofRegex(with.string("regex"), with.string("duration-unit"))
                : with.string("format").equals("gridftp")
                        ? LogFormat.ofGridFtp()
                        : LogFormat.ofNginx(with.string("format"));
    }

    private static Regex only(Parameters with) {
        return with.has("only") ? with.value("only", Regex.class) : Regex.compile("");
    }

    @Override
    public Monitor open(MonitorContext context) throws Exception {
        return new LogMonitor(Path.of(context.with().string("path")), format(context.with()), only(context.with()));
    }
}
