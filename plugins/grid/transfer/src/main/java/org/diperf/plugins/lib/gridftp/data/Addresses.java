package org.diperf.plugins.lib.gridftp.data;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.diperf.plugins.lib.gridftp.control.Reply;

/** Addresses of data channels as commands and replies write them (RFC 959, RFC 2428). */
final class Addresses {

    private Addresses() {}

    /**
     * Reads the addresses in a reply to PASV, EPSV or SPAS.
     *
     * @param server at the other end of the control channel
     * @return at least one
     * @throws DataTransferException when there is none
     */
    static List<InetSocketAddress> in(Reply reply, InetSocketAddress server) throws DataTransferException {
        List<InetSocketAddress> found = new ArrayList<>();
        for (String line : reply.lines()) {
            int extended = extendedPort(line);
            int[] numbers = sixNumbers(line);
            if (extended >= 0) {
                found.add(port(server.getAddress(), extended));
            } else if (numbers.length > 0) {
                byte[] host = new byte[4];
                for (int number : numbers) {
                    if (number > 255) {
                        throw new DataTransferException("PASV: wrong address");
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
            throw new DataTransferException("PASV: no address");
        }
        return found;
    }

    /** Finds h1,h2,h3,h4,p1,p2, numbers of at most three digits; nothing when they are not there. */
    private static int[] sixNumbers(String line) {
        for (int from = 0; from < line.length(); from++) {
            int[] numbers = new int[6];
            int at = from;
            int found = 0;
            while (found < 6) {
                int begin = at;
                while (at < line.length() && at < begin + 3 && isDigit(line.charAt(at))) {
                    numbers[found] = 10 * numbers[found] + line.charAt(at++) - '0';
                }
                if (at == begin || (found < 5 && (at == line.length() || line.charAt(at++) != ','))) {
                    break;
                }
                found++;
            }
            if (found == 6) {
                return numbers;
            }
        }
        return new int[0];
    }

    /** Finds |||port|; -1 when it is not there. */
    private static int extendedPort(String line) {
        int from = line.indexOf("|||");
        int end = from < 0 ? -1 : line.indexOf('|', from + 3);
        if (end < from + 4 || end > from + 8) {
            return -1;
        }
        int port = 0;
        for (int at = from + 3; at < end; at++) {
            if (!isDigit(line.charAt(at))) {
                return -1;
            }
            port = 10 * port + line.charAt(at) - '0';
        }
        return port;
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    /**
     * As the other, but as the settings want it: a server must not send data to a host that the user did not name, such as one
     * within the tester's own network.
     *
     * @throws DataTransferException also when it tells another host than that of the control channel, and may not
     */
    static List<InetSocketAddress> in(Reply reply, InetSocketAddress server, Settings settings)
            throws DataTransferException {
        List<InetSocketAddress> told = in(reply, server);
        switch (settings.dataHost()) {
            case CONTROL -> {
                return told.stream()
                        .map(each -> new InetSocketAddress(server.getAddress(), each.getPort()))
                        .toList();
            }
            case SAME -> {
                for (InetSocketAddress each : told) {
                    if (!each.getAddress().equals(server.getAddress())) {
                        throw new DataTransferException(
                                "PASV: a host other than the server's; allow it with data-host: told");
                    }
                }
                return told;
            }
            default -> {
                return told;
            }
        }
    }

    private static InetSocketAddress port(InetAddress host, int port) throws DataTransferException {
        if (port == 0 || port > 65_535) {
            throw new DataTransferException("PASV: wrong address");
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
