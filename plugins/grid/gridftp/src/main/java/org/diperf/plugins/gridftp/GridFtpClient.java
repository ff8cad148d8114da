package org.diperf.plugins.gridftp;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gridftp.data.FtpSession;
import org.diperf.plugins.lib.gridftp.data.Settings;
import org.diperf.plugins.lib.gridftp.data.Settings.Direction;
import org.diperf.plugins.lib.gridftp.data.Transfer;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * One client: a call is a transfer. It has as many sessions with its server as {@code concurrency} says, each with as many
 * transfers at once as {@code pipelining} says. Its sessions live on the loop that holds its sockets; the rest on its owner's.
 */
final class GridFtpClient implements AsyncClient {

    private final GridFtpSession session;
    private final Settings settings;
    private final @Nullable FtpSession[] ftpSessions;
    /** Those that take no more transfers and still have some under way. */
    private final List<FtpSession> leaving = new ArrayList<>();

    private @Nullable OwnedLoop loop;

    GridFtpClient(GridFtpSession session) {
        this.session = session;
        this.settings = session.resources().settings();
        this.ftpSessions = new FtpSession[session.servers().size() * settings.concurrency()];
    }

    @Override
    public void open(Context context) {
        loop = session.resources().loops().of(context.loop());
    }

    @Override
    public int callsAtOnce() {
        return settings.concurrency() * settings.pipelining();
    }

    @Override
    public void call(Call call) {
        OwnedLoop on = opened();
        int target = call.targetIndex();
        Server server = session.servers().get(target);
        String file = file(call);
        String path = server.resolve(file);
        Server to = session.to();
        String toPath = to == null ? "" : to.path().endsWith("/") ? to.path() + lastPart(path) : to.path();
        Text local = settings.local();
        Path localFile = local == null ? null : Path.of(local.of(call));
        long ticket = call.ticket();
        Transfer transfer = new Transfer(
                call,
                on.eventLoop(),
                session.resources(),
                path,
                toPath,
                localFile,
                (ended, failure) -> on.toOwner(() -> report(ended, call, ticket, failure)));
        transfer.tell(call.dialogue());
        if (path.indexOf('\r') >= 0 || path.indexOf('\n') >= 0) {
            on.toSockets(() -> transfer.end(Failure.ofExperiment("path with a newline")));
            return;
        }
        on.toSockets(() -> sessionWith(target).begin(transfer));
    }

    private static void report(Transfer ended, Call call, long ticket, @Nullable Failure failure) {
        ended.report(call);
        if (failure == null) {
            call.ok(ticket);
        } else {
            call.fail(ticket, failure);
        }
    }

    /** Names the file of a call: one after another of the list, where clients begin at different places. */
    private String file(Call call) {
        List<Text> files = settings.files();
        if (!files.isEmpty()) {
            long at = Math.floorMod(call.number() + call.client(), (long) files.size());
            return files.get((int) at).of(call);
        }
        Text path = settings.path();
        return path == null ? "" : path.of(call);
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Finds the session of this target with the least to do. */
    private FtpSession sessionWith(int target) {
        leaving.removeIf(each -> each.inFlight() == 0);
        int first = target * settings.concurrency();
        int best = first;
        for (int i = first; i < first + settings.concurrency(); i++) {
            FtpSession each = ftpSessions[i];
            if (each != null && each.isUsedUp()) {
                ftpSessions[i] = null;
                leaving.add(each);
                each = null;
            }
            FtpSession least = ftpSessions[best];
            if (least != null && (each == null || each.inFlight() < least.inFlight())) {
                best = i;
            }
        }
        FtpSession found = ftpSessions[best];
        if (found == null) {
            Server to = settings.direction() == Direction.THIRD_PARTY ? session.to() : null;
            found = new FtpSession(session.resources(), session.servers().get(target), to, opened().eventLoop());
            ftpSessions[best] = found;
        }
        return found;
    }

    @Override
    public void cancel(Call call) {
        opened().toSockets(() -> {
            for (FtpSession each : all()) {
                if (each.cancel(call)) {
                    return;
                }
            }
        });
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.toSockets(() -> all().forEach(FtpSession::close));
        }
    }

    private List<FtpSession> all() {
        List<FtpSession> all = new ArrayList<>(leaving);
        for (FtpSession each : ftpSessions) {
            if (each != null) {
                all.add(each);
            }
        }
        return all;
    }

    private OwnedLoop opened() {
        if (loop == null) {
            throw new IllegalStateException("open was not called");
        }
        return loop;
    }
}
