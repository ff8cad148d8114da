package org.diperf.plugins.memcached;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.Annex.Cell;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;

/** Calls the server at {@code memcached://host:port}. */
public final class MemcachedPlugin implements ClientPlugin {

    @Override
    public String id() {
        return "memcached";
    }

    @Override
    public String summary() {
        return "gets, sets and deletes keys of a memcached server";
    }

    @Override
    public String exampleTarget() {
        return "memcached://127.0.0.1:" + Connection.PORT;
    }

    @Override
    public List<Parameter> parameters() {
        return Operation.parameters();
    }

    @Override
    public List<Metric> metrics() {
        return List.of(MemcachedClient.HIT);
    }

    @Override
    public void check(URI target, Parameters with) {
        Connection.address(target);
        Operation.round(with);
    }

    @Override
    public List<InetSocketAddress> servers(URI target, Parameters with) {
        return List.of(Connection.address(target));
    }

    /** What the servers counted since they were started. */
    @Override
    public List<Annex> annexes(List<URI> targets, Parameters with) throws IOException {
        List<List<Cell>> rows = new ArrayList<>();
        List<Annex.Remark> warnings = new ArrayList<>();
        double hits = 0;
        double gets = 0;
        for (URI target : targets) {
            try (Connection connection = new Connection(Connection.address(target))) {
                Map<String, String> stats = connection.stats();
                hits += number(stats, "get_hits");
                gets += number(stats, "get_hits") + number(stats, "get_misses");
                double evictions = number(stats, "evictions");
                if (evictions > 0) {
                    warnings.add(
                            new Annex.Remark(false, target.getAuthority() + " has evicted values for lack of memory"));
                }
                rows.add(List.of(
                        Cell.of(target.getAuthority()),
                        Cell.of(stats.getOrDefault("version", "")),
                        Cell.of(number(stats, "curr_items")),
                        Cell.of(evictions)));
            }
        }
        return List.of(new Annex(
                "memcached",
                "Cache",
                List.of(new Annex.Fact("cache", "${hits} of all gets since the servers' start found their key")),
                List.of(new Annex.Amount("hits", "percent", gets == 0 ? Cell.NONE : Cell.of(100 * hits / gets))),
                List.of(new Annex.Table(
                        "servers",
                        "Servers",
                        List.of(
                                new Annex.Column("server", "server", ""),
                                new Annex.Column("version", "version", ""),
                                new Annex.Column("items", "items", ""),
                                new Annex.Column("evictions", "evictions", "")),
                        rows)),
                null,
                "",
                warnings,
                null));
    }

    private static double number(Map<String, String> stats, String name) {
        return Double.parseDouble(stats.getOrDefault(name, "0"));
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        return Optional.of(new MemcachedServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    @Override
    public Optional<StandIn> server(InetSocketAddress listen) throws IOException {
        return Optional.of(new MemcachedServer(listen));
    }

    @Override
    public int serverPort() {
        return Connection.PORT;
    }

    @Override
    public Session open(SessionContext context) {
        List<Operation> round = Operation.round(context.with());
        return new Session() {
            @Override
            public Client newClient() {
                return new MemcachedClient(round);
            }

            @Override
            public Class<? extends Client> kind() {
                return BlockingClient.class;
            }
        };
    }
}
