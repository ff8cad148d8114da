package org.diperf.plugins.web;

import java.util.List;
import org.diperf.core.spi.StarterPlugin;

/** Makes an experiment of a line of curl. */
public final class CurlStarter implements StarterPlugin {

    @Override
    public String id() {
        return "curl";
    }

    @Override
    public String label() {
        return "LINE";
    }

    @Override
    public String summary() {
        return "Make a journey of one request, given as a command line of curl";
    }

    @Override
    public String client() {
        return "http";
    }

    @Override
    public String example() {
        return "init order --curl \"curl 'https://...' ...\"   order.yml, of a request copied from a browser";
    }

    @Override
    public Draft draft(String source, Given given) {
        return JourneyDraft.of(List.of(CurlLine.read(source)), 0, "Made from a curl command");
    }
}
