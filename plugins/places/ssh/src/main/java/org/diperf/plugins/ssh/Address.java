package org.diperf.plugins.ssh;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to log in, and as whom.
 *
 * @param user name there
 * @param host name or address; the user's ssh configuration may know another one by which to connect
 * @param port from 1
 */
record Address(String user, String host, int port) {

    static final int DEFAULT_PORT = 22;

    private static final Pattern WRITTEN =
            Pattern.compile("(?:([^@\\s]+)@)?(?:\\[([^\\]\\s]+)\\]|([^:@\\s\\[\\]]+))(?::([0-9]{1,5}))?");

    Address {
        if (host.isEmpty() || host.startsWith("-") || !host.matches("[A-Za-z0-9._:%-]+")) {
            throw new IllegalArgumentException("expected a host name or address, got '" + host + "'");
        }
        if (user.isEmpty() || user.startsWith("-") || user.matches(".*[\\s@:].*")) {
            throw new IllegalArgumentException("expected a user name, got '" + user + "'");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("expected a port from 1 to 65535, got " + port);
        }
    }

    /**
     * Reads {@code [user@]host[:port]}; an IPv6 address stands in brackets.
     *
     * @param usual user and port where the text names none
     * @throws IllegalArgumentException with what was wanted
     */
    static Address parse(String text, LoginSettings usual) {
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            throw new IllegalArgumentException("expected [user@]host[:port], got '" + text + "'");
        }
        String host = written.group(2) == null ? written.group(3) : written.group(2);
        return new Address(
                written.group(1) == null ? usual.user(host) : written.group(1),
                host,
                written.group(4) == null ? usual.port(host) : Integer.parseInt(written.group(4)));
    }

    @Override
    public String toString() {
        String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return user + "@" + shown + (port == DEFAULT_PORT ? "" : ":" + port);
    }
}
