package org.diperf.plugins.lib.gridftp.data;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.ControlChannel;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * Downloads in extended block mode: the sender of data connects, so this side listens. Channels stay for the next transfers
 * where they are kept; each stream then goes from one transfer to the next at its end of data.
 */
final class ExtendedGet implements DataPath {

    private final FtpSession session;
    private final Endpoint endpoint;
    private final Map<Long, Transfer> transfers = new HashMap<>();
    private final List<ExtendedReader> streams = new ArrayList<>();
    private final List<Transfer> waiting = new ArrayList<>();
    private long nextNumber;
    private @Nullable Channel listener;
    private boolean listening;
    private boolean announced;

    ExtendedGet(FtpSession session, Endpoint endpoint) {
        this.session = session;
        this.endpoint = endpoint;
    }

    @Override
    public void begin(Transfer transfer) {
        if (announced) {
            move(transfer);
            return;
        }
        waiting.add(transfer);
        if (waiting.size() == 1) {
            if (listener == null) {
                bind(session.settings().firstPort());
            } else {
                announce();
            }
        }
    }

    private void bind(int port) {
        ChannelFuture binding = new ServerBootstrap()
                .group(session.loop())
                .channel(SessionLoops.serverType(session.loop()))
                .option(ChannelOption.SO_BACKLOG, 128)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) throws IOException {
                        accept(channel);
                    }
                })
                .bind(new InetSocketAddress(endpoint.localAddress().getAddress(), port));
        listener = binding.channel();
        Sockets.then(binding, session.loop(), () -> {
            if (binding.cause() == null) {
                listening = true;
                announce();
            } else if (port != 0 && port < session.settings().lastPort()) {
                bind(port + 1);
            } else {
                session.lost(Failures.of(binding.cause()).in("data port"));
            }
        });
    }

    private void accept(Channel channel) throws IOException {
        DataChannels.accepted(session, channel);
        ExtendedReader stream = new ExtendedReader(this, channel, oldest());
        streams.add(stream);
        DataChannels.prepare(session, channel, stream.buffers(), stream, false, ready -> {}, session::lost);
    }

    /** Returns the number of the oldest transfer that has not ended: a new stream begins with its data. */
    private long oldest() {
        return transfers.keySet().stream().mapToLong(Long::longValue).min().orElse(nextNumber);
    }

    private void announce() {
        Channel open = listener;
        if (open == null || !listening) {
            return;
        }
        InetSocketAddress at = (InetSocketAddress) open.localAddress();
        String command = session.settings().striped() ? Addresses.striped(List.of(at)) : Addresses.port(at);
        endpoint.control().send(command, reply -> {
            if (!reply.isPositive()) {
                session.lost(Failure.ofService(ControlChannel.word(command) + ": " + reply.cause()));
                return;
            }
            announced = session.settings().cachesData();
            List<Transfer> ready = List.copyOf(waiting);
            waiting.clear();
            ready.forEach(this::move);
        });
    }

    private void move(Transfer transfer) {
        if (transfer.isOver()) {
            return;
        }
        Settings settings = session.settings();
        if (transfer.isResumed()) {
            session.restart(endpoint, transfer);
            command(transfer, "RETR", "");
        } else if (settings.offset() > 0 && settings.length() < 0) {
            // What the receiver already has, as a range: GFD.20's restart in extended block mode.
            endpoint.control().send("REST 0-" + settings.offset(), reply -> {
                if (reply.wantsMore() || reply.isPositive()) {
                    command(transfer, "RETR", "");
                } else {
                    session.finish(transfer, Failure.ofService("REST: " + reply.cause()));
                }
            });
        } else if (settings.length() >= 0) {
            command(transfer, "ERET", " P " + settings.offset() + " " + settings.length());
        } else {
            command(transfer, "RETR", "");
        }
    }

    private void command(Transfer transfer, String command, String range) {
        transfer.number = nextNumber;
        transfers.put(nextNumber++, transfer);
        transfer.commanded(command);
        endpoint.control()
                .send(command + range + " " + transfer.path, new TransferExchange(session, transfer, command) {
                    @Override
                    void started() {
                        List.copyOf(streams).forEach(ExtendedReader::resume);
                    }

                    @Override
                    void done() {
                        if (transfer.dataFailure != null) {
                            session.finish(transfer, transfer.dataFailure);
                        } else {
                            finishWhenWhole(transfer);
                        }
                    }
                });
        try {
            // While the server opens its own; no data is read before this returns.
            transfer.openLocal();
        } catch (IOException e) {
            TransferExchange.localFailed(session, transfer, e);
        }
    }

    /** Finds the transfer with this number, or the next one that has not ended; {@code null} when there is none yet. */
    @Nullable
    Transfer transferFrom(long number) {
        for (long at = number; at < nextNumber; at++) {
            Transfer found = transfers.get(at);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Returns the offset of the first byte that is moved: parts (ERET) count from 0, a restarted file from its begin. */
    long baseOffset() {
        return session.settings().length() < 0 ? session.settings().offset() : 0;
    }

    boolean mayDrop(Channel channel, Transfer transfer) {
        return DataChannels.mayDrop(session, channel, transfer);
    }

    Settings settings() {
        return session.settings();
    }

    void finishWhenWhole(Transfer transfer) {
        transfer.dataEnded = transfer.hasAllEnds();
        if (transfer.completed && transfer.dataEnded) {
            boolean gaps = transfer.isTracked()
                    ? !transfer.stored().isAllOf(transfer.size())
                    : transfer.bytes() > 0 && transfer.reachedOffset - baseOffset() != transfer.bytes();
            session.finish(
                    transfer,
                    gaps
                            ? transfer.ofCommand(Failure.ofService("data blocks leave gaps or overlap"))
                            : transfer.shortOf(transfer.bytes()));
        }
    }

    /** Takes what went wrong while a transfer's data was taken. */
    void failed(@Nullable Transfer transfer, IOException what) {
        if (what instanceof DataTransferException) {
            failed(transfer, Failures.of(what));
        } else if (transfer != null) {
            TransferExchange.localFailed(session, transfer, what);
        }
    }

    void failed(@Nullable Transfer transfer, Failure why) {
        if (transfer != null) {
            TransferExchange.dataFailed(session, transfer, why);
        }
    }

    void gone(ExtendedReader stream) {
        streams.remove(stream);
    }

    @Override
    public void ended(Transfer transfer) {
        transfers.remove(transfer.number);
        waiting.remove(transfer);
        if (!session.settings().cachesData()) {
            closeStreams();
        } else {
            // A stream may have waited for a transfer that the server refused.
            List.copyOf(streams).forEach(ExtendedReader::resume);
        }
    }

    private void closeStreams() {
        List<ExtendedReader> closing = List.copyOf(streams);
        streams.clear();
        closing.forEach(ExtendedReader::close);
    }

    @Override
    public void close() {
        closeStreams();
        Sockets.close(listener);
    }
}
