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
        return "Create a journey with one request, from a curl command line";
    }

    @Override
    public String client() {
        return "http";
    }

    @Override
    public String example() {
        return "init order --curl \"curl 'https://...' ...\"   order.yml, from a request copied in a browser";
    }

    @Override
    public Draft draft(String source, Given given) {
        return JourneyDraft.of(List.of(CurlLine.read(source)), 0, "Created from a curl command");
    }
}
