package org.diperf.controller.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.diperf.controller.relay.Relay;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Ticket;
import org.diperf.core.wire.WireException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One relay, started by hand. */
@Command(
        name = "relay",
        description = {
            "Connects testers (load generators) that cannot reach the controller directly, and forwards their time"
                    + " queries. An experiment with controller: { relays: [HOST:PORT] } writes one ticket per relay and"
                    + " waits for the relays. A ticket is a secret. A relay stores nothing: it can be killed and"
                    + " restarted during the run.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf relay --ticket relay-1.ticket",
            "  ssh head java -jar diperf-controller.jar relay < relay-1.ticket",
            "",
            "Exit codes: 0 stopped by Ctrl-C or a signal, 2 bad usage or ticket, 3 the port is not available.",
        })
final class RelayCommand extends Subcommand {

    @Option(
            names = "--ticket",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "Ticket file. Default: - (standard input).")
    String ticket = "-";

    @Option(
            names = "--listen",
            paramLabel = "HOST[:PORT]",
            description = "Address to listen on. Default: all addresses, on the ticket's port.")
    @Nullable
    String listen;

    @Override
    public Integer call() throws IOException, InterruptedException, UsageException {
        Ticket read = read();
        PrintWriter out = stdout();
        CountDownLatch stopped = new CountDownLatch(1);
        try (StopSignals signals = new StopSignals(stopped::countDown);
                Relay relay = new Relay(read, address(read), NanoClock.SYSTEM)) {
            out.println("relay " + read.tester() + " at " + relay.address()
                    + (read.dialled()
                            ? ", waiting for the controller"
                            : ", forwards to " + read.hosts() + ":" + read.port())
                    + "; press Ctrl-C to stop");
            out.flush();
            stopped.await();
        }
        return ExitCode.DONE;
    }

    private Ticket read() throws IOException, UsageException {
        try (BufferedReader text = ticket.equals("-")
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(Path.of(ticket))) {
            Ticket read = Ticket.read(text);
            if (read.listenPort() == 0) {
                throw new UsageException(
                        "diperf relay: expected a relay's ticket, got a tester's; see controller.relays");
            }
            return read;
        } catch (WireException e) {
            throw new UsageException("diperf relay: " + e.getMessage());
        }
    }

    private InetSocketAddress address(Ticket read) throws UsageException {
        String host = listen == null ? "0.0.0.0" : listen.replaceFirst(":[0-9]+$", "");
        String port = listen != null && listen.matches(".*:[0-9]{1,5}")
                ? listen.substring(listen.lastIndexOf(':') + 1)
                : String.valueOf(read.listenPort());
        try {
            InetSocketAddress address = new InetSocketAddress(host.replaceAll("[\\[\\]]", ""), Integer.parseInt(port));
            if (!address.isUnresolved()) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new UsageException(
                "diperf relay: expected an address of this machine for --listen, got '" + listen + "'");
    }
}
