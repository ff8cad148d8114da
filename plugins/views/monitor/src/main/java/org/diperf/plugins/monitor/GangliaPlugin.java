package org.diperf.plugins.monitor;

import java.util.List;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;

/** The monitor {@code ganglia}. */
public final class GangliaPlugin implements MonitorPlugin {

    @Override
    public String id() {
        return "ganglia";
    }

    @Override
    public String summary() {
        return "what Ganglia's gmond reports about a host, as XML over TCP: processor, memory, load, network, custom "
                + "metrics";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault("host", Type.STRING, "127.0.0.1", "where gmond listens (tcp_accept_channel)"),
                Parameter.withDefault("port", Type.INTEGER, "8649", "its TCP port"),
                Parameter.optional(
                        "of",
                        Type.STRING,
                        "host in the cluster to monitor, by name or address; default: the cluster's only host"));
    }

    @Override
    public Monitor open(MonitorContext context) {
        return new GangliaMonitor(
                context.with().string("host"),
                (int) context.with().integer("port"),
                context.with().has("of") ? context.with().string("of") : null,
                TimeLimitedInput.LIMIT);
    }
}
