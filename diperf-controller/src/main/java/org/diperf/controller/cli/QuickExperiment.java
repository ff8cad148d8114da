package org.diperf.controller.cli;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * An experiment made from a URL and a few options: also a file to start from.
 *
 * @param name of the experiment
 * @param yaml its text
 */
record QuickExperiment(String name, String yaml) {

    private static final String CLIENTS = "10";
    private static final String TIME = "10s";

    /** Says whether an argument is a URL rather than a file. */
    static boolean isUrl(String argument) {
        return argument.matches("[A-Za-z][A-Za-z0-9+.-]+://.*");
    }

    /**
     * Makes one.
     *
     * @param clients of closed load; {@code null}: 10, unless there is a rate
     * @param rate of open load, such as {@code 100/s}
     * @param time such as {@code 10s}; {@code null}: 10 s
     */
    static QuickExperiment of(String url, @Nullable String clients, @Nullable String rate, @Nullable String time)
            throws UsageException {
        if (clients != null && rate != null) {
            throw new UsageException("wanted --clients (closed load) or --rate (open load), found both; choose one");
        }
        String length = time == null ? TIME : time;
        String load = rate == null
                ? "load:\n  clients: " + quoted(clients == null ? CLIENTS : clients) + "\n  run-for: " + quoted(length)
                : "load:\n  open:\n    rate: " + quoted(withUnit(rate)) + "\n    for: " + quoted(length);
        return new QuickExperiment(nameOf(url), "target: " + quoted(url) + "\n" + load + "\n");
    }

    /** A bare number on the command line is a rate per second. */
    private static String withUnit(String rate) {
        return rate.matches("[0-9]+(\\.[0-9]+)?") ? rate + "/s" : rate;
    }

    private static String nameOf(String url) {
        try {
            URI uri = new URI(url);
            String host = uri.getHost() == null ? uri.getScheme() : uri.getHost();
            String name = uri.getPort() < 0 ? host : host + "-" + uri.getPort();
            return name.replaceAll("[^A-Za-z0-9.-]+", "-").replaceAll("^-+|-+$", "");
        } catch (URISyntaxException saidWhenItIsRead) {
            return "target";
        }
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9./]+")
                ? text
                : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
