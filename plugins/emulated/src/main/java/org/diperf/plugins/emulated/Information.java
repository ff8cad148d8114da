package org.diperf.plugins.emulated;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a directory of the network can be queried.
 *
 * @param host name of the host
 * @param port of TCP
 */
record Information(String host, int port) {

    /** That of MDS. */
    private static final long USUAL_PORT = 2135;

    private static final int LARGEST_PORT = 65_535;
    private static final String ON = "on";
    private static final String PORT = "port";

    /** Reads it; the host is one of the topology's. */
    static Information of(Tree keys, Function<Tree, String> host) {
        String wanted = "where the information service is, such as {on: server, port: 2135}";
        Map<String, Tree> each = keys.keys(wanted, List.of(ON, PORT));
        Tree on = each.get(ON);
        if (on == null) {
            throw keys.unusable(wanted);
        }
        int port = Optional.ofNullable(each.get(PORT))
                .orElse(new Tree(keys.path(), USUAL_PORT))
                .whole("a port from 1 to " + LARGEST_PORT, 1, LARGEST_PORT);
        return new Information(host.apply(on), port);
    }
}
