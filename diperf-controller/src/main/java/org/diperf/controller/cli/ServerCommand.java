package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.StandIn;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The server that a client plugin brings with it. */
@Command(
        name = "server",
        description = {
            "Runs the server of a client plugin until stopped: the remote end of a network measurement, so "
                    + "that nothing else needs to be installed there. It accepts requests from anyone who can reach "
                    + "its port.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf plugins                        lists client plugins and shows which have a server",
            "  diperf server ID --listen 0.0.0.0",
            "  diperf server ID --port 5301",
            "  diperf run ID://127.0.0.1:5301 --clients 1 --for 30s",
            "",
            "Exit codes: 0 stopped by Ctrl-C or a signal, 2 bad usage or no such server, 3 the port is not",
            "available.",
        })
final class ServerCommand implements Callable<Integer> {

    private static final int MAX_PORT = 65_535;

    @Parameters(paramLabel = "ID", description = "ID of a client plugin that has a server.")
    String id = "";

    @Option(
            names = "--listen",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address to listen on; 0.0.0.0 means all. Default: 127.0.0.1, this machine only.")
    String listen = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port; 0 means any free one. Default: the protocol's port.")
    @Nullable
    Integer port;

    @Mixin
    PluginOptions pluginOptions;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException, UsageException {
        PrintWriter out = spec.commandLine().getOut();
        CountDownLatch stopped = new CountDownLatch(1);
        try (PluginOptions.Loaded loaded = pluginOptions.load();
                StopSignals signals = new StopSignals(stopped::countDown);
                StandIn server = start(plugin(loaded.plugins()))) {
            out.println(id + " server at " + server.target() + "; press Ctrl-C to stop");
            out.flush();
            stopped.await();
        }
        return ExitCode.DONE;
    }

    private ClientPlugin plugin(Plugins plugins) throws UsageException {
        return plugins.clients()
                .plugin(id)
                .orElseThrow(() -> new UsageException("diperf server: expected the ID of a client plugin, got '" + id
                        + "'" + Plugins.missing(id, plugins.clients().ids())));
    }

    private StandIn start(ClientPlugin plugin) throws IOException, UsageException {
        int at = port == null ? plugin.serverPort() : port;
        if (at < 0 || at > MAX_PORT) {
            throw new UsageException("diperf server: --port must be from 0 to " + MAX_PORT + ", got " + at);
        }
        InetSocketAddress address = new InetSocketAddress(listen, at);
        if (address.isUnresolved()) {
            throw new UsageException("diperf server: expected an address of this machine for --listen, got '" + listen
                    + "', which cannot be resolved");
        }
        Optional<StandIn> started;
        try {
            started = plugin.server(address);
        } catch (IOException e) {
            throw new IOException(
                    "diperf server: expected port " + at + " of " + listen + " to be free, got: " + e.getMessage()
                            + ". Choose a different address or port with --listen and --port",
                    e);
        }
        return started.orElseThrow(() ->
                new UsageException("diperf server: expected a client plugin that has a server, got '" + id + "'"));
    }
}
