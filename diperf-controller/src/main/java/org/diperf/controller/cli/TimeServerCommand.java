package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.time.ClockEpoch;
import org.diperf.controller.time.TcpTimeServer;
import org.diperf.controller.time.TimeServer;
import org.diperf.core.clock.NanoClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A time server of its own. */
@Command(
        name = "time-server",
        description = {
            "Answers time queries until stopped, with this machine's monotonic clock readings when the "
                    + "query arrived and when the answer was sent. A run does not need this, because its controller "
                    + "has a time server; use it to try one out, or to measure one with the client 'time'.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf time-server",
            "  diperf time-server --listen 0.0.0.0 --port 5123",
            "  diperf run time://127.0.0.1:5123 --clients 100 --for 10s",
            "",
            "Exit codes: 0 stopped by Ctrl-C or a signal, 2 bad usage, 3 the port is not available.",
        })
final class TimeServerCommand extends Subcommand {

    private static final String DEFAULT_PORT = "5123";

    @Option(
            names = "--listen",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address to listen on; 0.0.0.0 means all. Default: 127.0.0.1, this machine only.")
    String listen = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = DEFAULT_PORT,
            description = "UDP and TCP port; 0 means any free one. Default: " + DEFAULT_PORT + ".")
    int port;

    @Override
    public Integer call() throws IOException, InterruptedException, UsageException {
        InetSocketAddress address = address();
        PrintWriter out = stdout();
        long epoch = ClockEpoch.ofThisBoot();
        CountDownLatch stopped = new CountDownLatch(1);
        try (StopSignals signals = new StopSignals(stopped::countDown);
                TimeServer udp = udp(address, epoch);
                TcpTimeServer tcp = tcp(udp.address(), epoch)) {
            out.println("time server at " + listen + ":" + udp.address().getPort()
                    + " over UDP and TCP; press Ctrl-C to stop");
            out.flush();
            stopped.await();
            out.println("answered " + Numbers.count(udp.answered(), "question") + " over UDP and " + tcp.answered()
                    + " over TCP, refused " + Numbers.count(udp.refused(), "datagram") + " and "
                    + Numbers.count(tcp.refused(), "connection") + " without a question");
            out.flush();
        }
        return ExitCode.DONE;
    }

    private InetSocketAddress address() throws UsageException {
        if (port < 0 || port > 65_535) {
            throw new UsageException("diperf time-server: --port must be from 0 to 65535, got " + port);
        }
        InetSocketAddress address = new InetSocketAddress(listen, port);
        if (address.isUnresolved()) {
            throw new UsageException("diperf time-server: expected an address of this machine for --listen, got '"
                    + listen + "', which cannot be resolved");
        }
        return address;
    }

    private static TimeServer udp(InetSocketAddress address, long epoch) throws IOException {
        try {
            return new TimeServer(address, new byte[0], epoch, NanoClock.SYSTEM);
        } catch (IOException e) {
            throw refused("UDP", address, e);
        }
    }

    private static TcpTimeServer tcp(InetSocketAddress address, long epoch) throws IOException {
        try {
            return new TcpTimeServer(address, epoch, NanoClock.SYSTEM);
        } catch (IOException e) {
            throw refused("TCP", address, e);
        }
    }

    private static IOException refused(String what, InetSocketAddress address, IOException e) {
        return new IOException(
                "diperf time-server: expected " + what + " port " + address.getPort() + " of " + address.getHostString()
                        + " to be free, got: " + e.getMessage()
                        + ". Choose a different address or port with --listen and --port",
                e);
    }
}
