package org.diperf.plugins.lib.gridftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.diperf.plugins.lib.gridftp.control.Reply;
import org.diperf.plugins.lib.gridftp.data.Settings.Direction;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/** Stream mode: one data channel for each transfer, closed at the end of the data. Takes one transfer at a time. */
final class StreamPath implements DataPath {

    private final FtpSession session;
    private final Endpoint endpoint;
    private final boolean get;
    private @Nullable Channel data;
    private @Nullable Sender sender;

    StreamPath(FtpSession session, Endpoint endpoint) {
        this.session = session;
        this.endpoint = endpoint;
        this.get = session.settings().direction() == Direction.GET;
    }

    @Override
    public void begin(Transfer transfer) {
        try {
            transfer.openLocal();
        } catch (IOException e) {
            session.finish(transfer, transfer.ofLocalFile(e));
            return;
        }
        String passive = endpoint.passiveCommand();
        endpoint.control().send(passive, reply -> {
            try {
                if (!reply.isPositive()) {
                    session.finish(transfer, Failure.ofService(passive + ": " + reply.cause()));
                    return;
                }
                connect(transfer, reply);
            } catch (DataTransferException e) {
                session.finish(transfer, Failures.of(e));
                return;
            }
            prepare(transfer);
        });
    }

    private void connect(Transfer transfer, Reply passive) throws DataTransferException {
        sender = get ? null : new Sender(session, transfer, false);
        ReadBuffers buffers = ReadBuffers.ofData();
        data = DataChannels.connect(
                session,
                Addresses.in(passive, endpoint.server().address(), session.settings())
                        .get(0),
                buffers,
                get ? new Reader(transfer, buffers) : new Sender.Port(() -> sender, why -> failed(transfer, why)),
                connected -> {
                    if (sender != null) {
                        sender.connected(connected, 0);
                    }
                },
                why -> failed(transfer, why));
    }

    private void failed(Transfer transfer, Failure why) {
        TransferExchange.dataFailed(session, transfer, why);
    }

    private void prepare(Transfer transfer) {
        Settings settings = session.settings();
        String first = !get ? "ALLO " + transfer.source().size() : null;
        String rest = settings.offset() > 0 && settings.length() < 0 ? "REST " + settings.offset() : null;
        if (first != null) {
            // Many servers need no room set aside and say so in one way or another.
            endpoint.control().send(first, any -> rest(transfer, rest));
        } else {
            rest(transfer, rest);
        }
    }

    private void rest(Transfer transfer, @Nullable String rest) {
        if (rest == null) {
            move(transfer);
            return;
        }
        endpoint.control().send(rest, reply -> {
            if (reply.wantsMore() || reply.isPositive()) {
                move(transfer);
            } else {
                session.finish(transfer, Failure.ofService("REST: " + reply.cause()));
            }
        });
    }

    private void move(Transfer transfer) {
        if (transfer.isOver()) {
            return;
        }
        Settings settings = session.settings();
        String command = !get ? "STOR" : settings.length() >= 0 ? "ERET" : "RETR";
        String range = settings.length() >= 0 ? " P " + settings.offset() + " " + settings.length() : "";
        transfer.commanded(command);
        endpoint.control()
                .send(command + range + " " + transfer.path, new TransferExchange(session, transfer, command) {
                    @Override
                    void started() {
                        if (sender != null) {
                            sender.start();
                        }
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
    }

    private void finishWhenWhole(Transfer transfer) {
        if (transfer.completed && (!get || transfer.dataEnded)) {
            boolean whole = get || transfer.bytes() == transfer.source().size();
            session.finish(
                    transfer,
                    whole
                            ? transfer.shortOf(transfer.bytes())
                            : transfer.ofCommand(Failure.ofService("226 before the end of the data")));
        }
    }

    @Override
    public void ended(Transfer transfer) {
        close();
    }

    @Override
    public void close() {
        Channel closing = data;
        data = null;
        sender = null;
        Sockets.close(closing);
    }

    /** Takes what comes until the channel ends. */
    private final class Reader extends ChannelInboundHandlerAdapter {

        private final Transfer transfer;
        private final ReadBuffers buffers;

        Reader(Transfer transfer, ReadBuffers buffers) {
            this.transfer = transfer;
            this.buffers = buffers;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) throws IOException {
            ByteBuf bytes = (ByteBuf) in;
            try {
                if (!transfer.isOver()) {
                    int count = bytes.readableBytes();
                    long at = transfer.bytes();
                    if (session.settings().length() >= 0
                            && at + count > session.settings().length()) {
                        throw new DataTransferException("more data than requested");
                    }
                    transfer.sink().write(bytes, count, at);
                    transfer.moved(count);
                }
            } catch (IOException e) {
                if (e instanceof DataTransferException) {
                    failed(transfer, Failures.of(e));
                } else {
                    TransferExchange.localFailed(session, transfer, e);
                }
                context.close();
            } finally {
                bytes.release();
            }
            drop(context.channel());
        }

        /** Has what follows dropped once the file is known to be large, up to the end of what was asked for. */
        private void drop(Channel channel) throws IOException {
            if (!buffers.isBrief()) {
                buffers.brief(
                        transfer.bytes() > ReadBuffers.LARGE_BYTES && DataChannels.mayDrop(session, channel, transfer));
            }
            long length = session.settings().length();
            long most = length < 0 ? Long.MAX_VALUE : length - transfer.bytes();
            if (buffers.isBrief() && most > 0 && !transfer.isOver()) {
                transfer.moved(buffers.drop(channel, most));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (transfer.dataFailure == null) {
                transfer.dataEnded = true;
                finishWhenWhole(transfer);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            failed(transfer, Failures.of(cause).in("data connection"));
            context.close();
        }
    }
}
