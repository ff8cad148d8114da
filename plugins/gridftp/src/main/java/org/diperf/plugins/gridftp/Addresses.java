package org.diperf.plugins.gridftp;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of data channels as commands and replies write them (RFC 959, RFC 2428). */
final class Addresses {

    private static final Pattern SIX_NUMBERS =
            Pattern.compile("(\\d{1,3}),(\\d{1,3}),(\\d{1,3}),(\\d{1,3}),(\\d{1,3}),(\\d{1,3})");
    private static final Pattern EXTENDED = Pattern.compile("\\|\\|\\|(\\d{1,5})\\|");

    private Addresses() {}

    /**
     * Reads the addresses in a reply to PASV, EPSV or SPAS.
     *
     * @param server at the other end of the control channel
     * @return at least one
     * @throws DataFault when there is none
     */
    static List<InetSocketAddress> in(Reply reply, InetSocketAddress server) throws DataFault {
        List<InetSocketAddress> found = new ArrayList<>();
        for (String line : reply.lines()) {
            Matcher extended = EXTENDED.matcher(line);
            Matcher six = SIX_NUMBERS.matcher(line);
            if (extended.find()) {
                found.add(port(server.getAddress(), Integer.parseInt(extended.group(1))));
            } else if (six.find()) {
                byte[] host = new byte[4];
                int[] numbers = new int[6];
                for (int i = 0; i < 6; i++) {
                    numbers[i] = Integer.parseInt(six.group(i + 1));
                    if (numbers[i] > 255) {
                        throw new DataFault("PASV: wrong address");
                    }
                }
                for (int i = 0; i < 4; i++) {
                    host[i] = (byte) numbers[i];
                }
                try {
                    InetAddress told = InetAddress.getByAddress(host);
                    found.add(
                            port(told.isAnyLocalAddress() ? server.getAddress() : told, numbers[4] << 8 | numbers[5]));
                } catch (UnknownHostException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        if (found.isEmpty()) {
            throw new DataFault("PASV: no address");
        }
        return found;
    }

    /** As the other, but with the host of the control channel where the settings want that: behind a translated address. */
    static List<InetSocketAddress> in(Reply reply, InetSocketAddress server, Settings settings) throws DataFault {
        List<InetSocketAddress> told = in(reply, server);
        return settings.dataAtControl()
                ? told.stream()
                        .map(each -> new InetSocketAddress(server.getAddress(), each.getPort()))
                        .toList()
                : told;
    }

    private static InetSocketAddress port(InetAddress host, int port) throws DataFault {
        if (port == 0 || port > 65_535) {
            throw new DataFault("PASV: wrong address");
        }
        return new InetSocketAddress(host, port);
    }

    /** Writes the command that tells a server where to connect. */
    static String port(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address
                ? "EPRT |2|" + address.getAddress().getHostAddress().replaceFirst("%.*", "") + "|" + address.getPort()
                        + "|"
                : "PORT " + six(address);
    }

    /** Writes the command that tells a server of several places to connect to. */
    static String striped(List<InetSocketAddress> addresses) {
        StringBuilder command = new StringBuilder("SPOR");
        addresses.forEach(address -> command.append(' ').append(six(address)));
        return command.toString();
    }

    private static String six(InetSocketAddress address) {
        return address.getAddress().getHostAddress().replace('.', ',') + "," + (address.getPort() >> 8) + ","
                + (address.getPort() & 255);
    }
}
