package org.diperf.plugins.web;

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
        return "Create a journey of the requests in curl command lines";
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
        return JourneyDraft.of(CurlLine.read(source), "Created from a curl command");
    }
}
