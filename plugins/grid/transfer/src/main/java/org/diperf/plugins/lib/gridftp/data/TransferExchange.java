package org.diperf.plugins.lib.gridftp.data;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;
import org.diperf.plugins.lib.gridftp.control.Exchange;
import org.diperf.plugins.lib.gridftp.control.Reply;

/** What the replies to the command of a transfer mean. Confined to its event loop. */
abstract class TransferExchange implements Exchange {

    /** How long the server may take to say why it broke off a data channel. */
    private static final long GRACE_NANOS = 1_000_000_000L;

    private final FtpSession session;
    private final Transfer transfer;
    private final String command;

    TransferExchange(FtpSession session, Transfer transfer, String command) {
        this.session = session;
        this.transfer = transfer;
        this.command = command;
    }

    Transfer transfer() {
        return transfer;
    }

    String command() {
        return command;
    }

    /** The server has begun (125 or 150). */
    abstract void started();

    /** The server is done (2xx). */
    abstract void done();

    @Override
    public void preliminary(Reply reply) {
        if (reply.code() == 111 || reply.code() == 112) {
            transfer.marker(reply);
        } else if (!transfer.isOver() && !transfer.started) {
            transfer.started = true;
            started();
        }
    }

    @Override
    public void completed(Reply reply) {
        if (reply.isPositive()) {
            transfer.completed = true;
            done();
        } else {
            Failure seen = transfer.dataFailure;
            // What this machine lacks the server only suffers.
            boolean isOurs = seen != null && seen.fault() != Fault.SERVICE;
            session.finish(transfer, isOurs ? seen : Failure.ofService(command + ": " + reply.cause()));
        }
    }

    /** Gives up the session at once when a file on this side fails: the server has nothing to say of that. */
    static void localFailed(FtpSession session, Transfer transfer, IOException what) {
        if (!transfer.isOver() && transfer.dataFailure == null) {
            Failure why = transfer.ofLocalFile(what);
            transfer.dataFailure = why;
            session.lost(why);
        }
    }

    /** Gives the server a moment to say what was wrong before the transfer fails with what this side saw. */
    static void dataFailed(FtpSession session, Transfer transfer, Failure what) {
        if (transfer.isOver() || transfer.dataFailure != null) {
            return;
        }
        Failure why = transfer.ofCommand(what);
        transfer.dataFailure = why;
        if (transfer.completed) {
            // Its stream is gone, and with it the data of those asked for ahead.
            session.lost(why);
        } else {
            session.loop()
                    .schedule(
                            () -> {
                                if (!transfer.isOver()) {
                                    session.lost(why);
                                }
                            },
                            GRACE_NANOS,
                            TimeUnit.NANOSECONDS);
        }
    }
}
