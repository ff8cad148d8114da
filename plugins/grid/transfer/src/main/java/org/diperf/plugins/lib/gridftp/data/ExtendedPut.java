package org.diperf.plugins.lib.gridftp.data;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * Uploads in extended block mode over several streams, to one place or to several stripes. The data of a transfer goes when
 * the server has said that it takes it.
 */
final class ExtendedPut implements DataPath {

    private final FtpSession session;
    private final Endpoint endpoint;
    private final List<Channel> streams = new ArrayList<>();
    private final Map<Channel, Integer> connected = new LinkedHashMap<>();
    private final List<Transfer> waiting = new ArrayList<>();
    private @Nullable Sender sender;
    private @Nullable Transfer sending;
    private boolean announced;
    private boolean asked;

    ExtendedPut(FtpSession session, Endpoint endpoint) {
        this.session = session;
        this.endpoint = endpoint;
    }

    @Override
    public void begin(Transfer transfer) {
        try {
            transfer.openLocal();
        } catch (IOException e) {
            session.finish(transfer, transfer.ofLocalFile(e));
            return;
        }
        if (announced) {
            allocate(transfer);
            return;
        }
        waiting.add(transfer);
        if (!asked) {
            asked = true;
            ask();
        }
    }

    private void ask() {
        String command = session.settings().striped() ? "SPAS" : endpoint.passiveCommand();
        endpoint.control().send(command, reply -> {
            try {
                if (!reply.isPositive()) {
                    session.lost(Failure.ofService(command + ": " + reply.cause()));
                    return;
                }
                connect(Addresses.in(reply, endpoint.server().address(), session.settings()));
            } catch (DataTransferException e) {
                session.lost(Failures.of(e));
                return;
            }
            announced = true;
            List<Transfer> ready = List.copyOf(waiting);
            waiting.clear();
            ready.forEach(this::allocate);
        });
    }

    private void connect(List<InetSocketAddress> addresses) {
        for (int at = 0; at < addresses.size(); at++) {
            int stripe = at;
            for (int i = 0; i < session.settings().parallelism(); i++) {
                streams.add(DataChannels.connect(
                        session,
                        addresses.get(at),
                        ReadBuffers.ofData(),
                        new Sender.Port(() -> sender, this::failed),
                        channel -> {
                            connected.put(channel, stripe);
                            if (sender != null) {
                                sender.connected(channel, stripe);
                            }
                        },
                        this::notConnected));
            }
        }
    }

    /** Tells whoever waits for a stream that cannot be had, even before the server says that it begins: it may wait for that stream. */
    private void notConnected(Failure why) {
        if (sending != null) {
            failed(why);
        } else if (announced) { // otherwise given up before it was made
            session.lost(why);
        }
    }

    private void failed(Failure why) {
        if (sending != null && !sending.isOver()) {
            TransferExchange.dataFailed(session, sending, why);
        } else {
            // Between transfers the server may close what it does not want to keep.
            forget();
        }
    }

    private void allocate(Transfer transfer) {
        if (session.settings().pipelining() > 1) {
            store(transfer);
        } else {
            endpoint.control().send("ALLO " + transfer.source().size(), any -> store(transfer));
        }
    }

    private void store(Transfer transfer) {
        if (transfer.isOver()) {
            return;
        }
        if (transfer.isResumed()) {
            session.restart(endpoint, transfer);
        }
        long offset = session.settings().offset();
        String command = offset > 0 ? "ESTO" : "STOR";
        transfer.commanded(command);
        endpoint.control()
                .send(
                        command + (offset > 0 ? " A " + offset : "") + " " + transfer.path,
                        new TransferExchange(session, transfer, command) {
                            @Override
                            void started() {
                                send(transfer);
                            }

                            @Override
                            void done() {
                                Sender by = sender;
                                boolean whole = sending == transfer && by != null && by.isDone();
                                Failure early = whole
                                        ? null
                                        : transfer.ofCommand(Failure.ofService("226 before the end of the data"));
                                session.finish(transfer, transfer.dataFailure != null ? transfer.dataFailure : early);
                            }
                        });
    }

    private void send(Transfer transfer) {
        sending = transfer;
        Sender made = new Sender(session, transfer, true);
        sender = made;
        if (!announced || hasLostStream()) {
            // It was asked for ahead, and the server has not kept its streams.
            failed(Failure.ofService("data connection closed"));
            return;
        }
        made.channelsWanted(streams.size());
        made.start();
        Map.copyOf(connected).forEach(made::connected);
    }

    @Override
    public void ended(Transfer transfer) {
        waiting.remove(transfer);
        if (sending == transfer) {
            sending = null;
            sender = null;
        }
        // A server that does not keep its streams may close them before it says that the transfer is complete.
        if (!session.settings().cachesData() || (sending == null && hasLostStream())) {
            forget();
        }
    }

    private boolean hasLostStream() {
        return connected.keySet().stream().anyMatch(stream -> !stream.isActive());
    }

    private void forget() {
        announced = false;
        asked = false;
        connected.clear();
        List<Channel> closing = List.copyOf(streams);
        streams.clear();
        closing.forEach(Sockets::close);
    }

    @Override
    public void close() {
        forget();
    }
}
