package org.diperf.plugins.memcached;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;

/** Shows what a server counted. */
public final class StatsCommand implements CommandPlugin {

    @Override
    public String id() {
        return "memcached";
    }

    @Override
    public String summary() {
        return "shows the statistics of a memcached server";
    }

    @Override
    public List<String> examples() {
        return List.of("memcached 10.0.0.7", "memcached 10.0.0.7:11212 --only get_ --json");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required("server", Type.STRING, "The server").in("HOST[:PORT]"),
                Parameter.withDefault("only", Type.STRING, "", "Only names that begin so")
                        .in("PREFIX"),
                Parameter.withDefault("json", Type.BOOLEAN, "false", "Print JSON, for scripts"));
    }

    @Override
    public List<String> arguments() {
        return List.of("server");
    }

    @Override
    public int run(CommandContext context) throws IOException {
        String server = context.with().string("server");
        if (!server.matches("[^/\\s]+")) {
            throw new Parameters.Unusable("server", "expected HOST or HOST:PORT, got '" + server + "'");
        }
        Map<String, String> stats;
        try (Connection connection = new Connection(Connection.address(URI.create("memcached://" + server)))) {
            stats = connection.stats();
        }
        stats.keySet().removeIf(name -> !name.startsWith(context.with().string("only")));
        if (context.with().bool("json")) {
            context.print(stats);
        } else {
            stats.forEach((name, value) -> context.print(name + " " + value));
        }
        return DONE;
    }
}
