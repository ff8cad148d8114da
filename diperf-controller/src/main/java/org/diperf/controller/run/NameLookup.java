package org.diperf.controller.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * How the name of a target was looked up, by this machine's resolver. Clients do that once before their calls, so it is in the time of
 * none of them.
 *
 * @param host the name
 * @param took by this process, which has not asked for it before
 * @param addresses in the resolver's order; empty: the name is not known here
 */
public record NameLookup(String host, Duration took, List<String> addresses) {

    public NameLookup {
        addresses = List.copyOf(addresses);
    }

    /**
     * Says that the name of a target has several addresses, and how clients choose among them.
     *
     * @return empty where it has one, or there is no name
     */
    public static String several(Url target) {
        NameLookup name = of(target, NanoClock.SYSTEM);
        return name == null || name.addresses.size() < 2
                ? ""
                : name.host + " has " + name.addresses.size() + " addresses: " + String.join(", ", name.addresses)
                        + "; client i begins at address i mod " + name.addresses.size();
    }

    /**
     * Looks up the host of a target.
     *
     * @return {@code null} where the target has none, or has an address in place of a name
     */
    static @Nullable NameLookup of(Url target, NanoClock clock) {
        String host = target.host();
        if (host == null || host.indexOf(':') >= 0 || host.matches("[0-9.]+")) {
            return null;
        }
        long began = clock.nanoTime();
        List<String> found;
        try {
            found = Arrays.stream(InetAddress.getAllByName(host))
                    .map(InetAddress::getHostAddress)
                    .toList();
        } catch (UnknownHostException e) {
            // Nobody may need it: a proxy looks up names itself. Who needs it says so.
            found = List.of();
        }
        return new NameLookup(host, Duration.ofNanos(clock.nanoTime() - began), found);
    }
}
