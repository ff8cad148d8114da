package org.diperf.plugins.memcached;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Metric;

/** One client: makes the calls of a round in turn, each client from another place in it. Confined to its thread. */
final class MemcachedClient implements BlockingClient {

    static final Metric HIT = new Metric("hit", "%", "100 where a get found its key, 0 where it did not");

    private final List<Operation> round;
    private final Map<URI, Connection> connections = new HashMap<>();

    MemcachedClient(List<Operation> round) {
        this.round = round;
    }

    @Override
    public void call(Call call) throws IOException {
        Connection connection = connections.get(call.target());
        if (connection == null) {
            connection = new Connection(Connection.address(call.target()));
            connections.put(call.target(), connection);
            call.firstOnConnection();
        }
        try {
            make(call, round.get((int) ((call.number() + call.client()) % round.size())), connection);
        } catch (IOException e) {
            connection.close();
            connections.remove(call.target());
            throw e;
        }
    }

    private static void make(Call call, Operation operation, Connection connection) throws IOException {
        String key = operation.key().of(call);
        switch (operation.verb()) {
            case "get" -> get(call, key, connection);
            case "set" -> {
                byte[] value = new byte[operation.valueBytes()];
                Arrays.fill(value, (byte) 'x');
                connection.send("set " + key + " 0 " + operation.expirySeconds() + " " + value.length, value);
                end(call, connection.line(), "STORED");
                call.bytes(value.length);
            }
            default -> {
                connection.send("delete " + key);
                end(call, connection.line(), "DELETED", "NOT_FOUND");
            }
        }
    }

    private static void get(Call call, String key, Connection connection) throws IOException {
        connection.send("get " + key);
        String answer = connection.line();
        boolean hit = answer.startsWith("VALUE ");
        if (hit) {
            long bytes = Long.parseLong(answer.split(" ")[3]);
            connection.skip(bytes);
            call.bytes(bytes);
            answer = connection.line();
        }
        call.metric(HIT, hit ? 100 : 0);
        end(call, answer, "END");
    }

    private static void end(Call call, String answer, String... good) {
        if (!List.of(good).contains(answer)) {
            call.fail(answer.split(" ")[0]);
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections.values()) {
            connection.close();
        }
    }
}
