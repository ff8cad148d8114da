package org.diperf.plugins.lib.gridftp.data;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.ControlChannel;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.diperf.plugins.lib.gridftp.control.Reply;

/**
 * Third-party transfers: the destination says where it listens, the source is told to connect there, and this side hears of
 * both on the two control channels.
 */
final class ThirdPartyPath implements DataPath {

    private final FtpSession session;
    private final Endpoint source;
    private final Endpoint destination;
    private final List<Transfer> waiting = new ArrayList<>();
    private boolean announced;
    private boolean asked;

    ThirdPartyPath(FtpSession session, Endpoint source, Endpoint destination) {
        this.session = session;
        this.source = source;
        this.destination = destination;
    }

    private boolean keepsData() {
        return session.settings().extended() && session.settings().cachesData();
    }

    @Override
    public void begin(Transfer transfer) {
        if (transfer.isTracked()) {
            place(transfer, transfer.size() - transfer.stored().total());
            return;
        }
        if (session.settings().pipelining() > 1) {
            place(transfer, -1);
            return;
        }
        source.control().send("SIZE " + transfer.path, reply -> {
            if (!reply.isPositive()) {
                session.finish(transfer, Failure.ofService("SIZE: " + reply.cause()));
                return;
            }
            long size;
            try {
                size = Long.parseLong(reply.text().strip());
            } catch (NumberFormatException e) {
                session.finish(transfer, Failure.ofService("SIZE: not a number"));
                return;
            }
            Settings settings = session.settings();
            long rest = Math.max(0, size - settings.offset());
            long count = settings.length() < 0 ? rest : Math.min(rest, settings.length());
            Failure tooShort = transfer.shortOf(count);
            if (tooShort != null) {
                session.finish(transfer, tooShort);
            } else {
                place(transfer, count);
            }
        });
    }

    /** Makes sure that both servers know the way of the data. */
    private void place(Transfer transfer, long size) {
        transfer.sizeElsewhere = size;
        if (announced) {
            allocate(transfer);
            return;
        }
        waiting.add(transfer);
        if (asked) {
            return;
        }
        asked = true;
        String command = session.settings().striped() ? "SPAS" : destination.passiveCommand();
        destination.control().send(command, reply -> {
            if (!reply.isPositive()) {
                session.lost(Failure.ofService(command + ": " + reply.cause()));
                return;
            }
            try {
                tell(Addresses.in(reply, destination.server().address(), session.settings()));
            } catch (DataTransferException e) {
                session.lost(Failures.of(e));
            }
        });
    }

    private void tell(List<InetSocketAddress> addresses) {
        String command = addresses.size() > 1 ? Addresses.striped(addresses) : Addresses.port(addresses.get(0));
        source.control().send(command, reply -> {
            if (!reply.isPositive()) {
                session.lost(Failure.ofService(ControlChannel.word(command) + ": " + reply.cause()));
                return;
            }
            announced = keepsData();
            asked = announced;
            List<Transfer> ready = List.copyOf(waiting);
            waiting.clear();
            ready.forEach(this::allocate);
        });
    }

    private void allocate(Transfer transfer) {
        if (transfer.sizeElsewhere < 0 || transfer.isTracked()) {
            move(transfer);
        } else {
            destination.control().send("ALLO " + transfer.sizeElsewhere, any -> move(transfer));
        }
    }

    private void move(Transfer transfer) {
        if (transfer.isOver()) {
            return;
        }
        Settings settings = session.settings();
        if (transfer.isResumed()) {
            session.restart(destination, transfer);
            session.restart(source, transfer);
        }
        transfer.commanded("STOR");
        destination.control().send("STOR " + transfer.toPath, new Half(transfer, "STOR"));
        if (settings.isPartial()) {
            long length = transfer.sizeElsewhere < 0 ? settings.length() : transfer.sizeElsewhere;
            source.control()
                    .send(
                            "ERET P " + settings.offset() + " " + length + " " + transfer.path,
                            new Half(transfer, "ERET"));
        } else {
            source.control().send("RETR " + transfer.path, new Half(transfer, "RETR"));
        }
    }

    @Override
    public void ended(Transfer transfer) {
        waiting.remove(transfer);
    }

    @Override
    public void close() {
        // The data is between the servers; it ends with their control channels.
    }

    /** One side of a transfer; the second that completes ends it. */
    private final class Half extends TransferExchange {

        Half(Transfer transfer, String command) {
            super(session, transfer, command);
        }

        @Override
        void started() {
            transfer().firstByte();
        }

        @Override
        void done() {
            Transfer transfer = transfer();
            if (transfer.completeHalf()) {
                if (transfer.sizeElsewhere >= 0) {
                    transfer.movedElsewhere(transfer.sizeElsewhere);
                }
                session.finish(transfer, null);
            }
        }

        @Override
        public void completed(Reply reply) {
            if (reply.isPositive()) {
                super.completed(reply);
            } else if (!transfer().isOver()) {
                // The other server would wait for data that does not come.
                transfer().isCulprit();
                session.lost(Failure.ofService(command() + ": " + reply.cause()));
            }
        }
    }
}
