package org.diperf.core.experiment;

/** Where the numbers of a run go during the run, besides its own folder. */
public sealed interface OutputSettings {

    /**
     * An address at which Prometheus can scrape them.
     *
     * @param listen address or name of this machine
     * @param port from 0 to 65535; 0: any that is free
     */
    record Prometheus(String listen, int port) implements OutputSettings {

        public Prometheus {
            if (listen.isBlank() || port < 0 || port > 65_535) {
                throw new IllegalArgumentException(
                        "Expected an address and a port from 0 to 65535, got '" + listen + "' and " + port);
            }
        }
    }

    /**
     * A plugin that sends them.
     *
     * @param id of the plugin
     * @param address to which it sends
     */
    record Sent(String id, String address) implements OutputSettings {}
}
