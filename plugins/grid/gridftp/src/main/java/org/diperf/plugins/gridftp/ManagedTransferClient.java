package org.diperf.plugins.gridftp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Text;
import org.diperf.plugins.gridftp.managed.Job;
import org.diperf.plugins.gridftp.managed.TransferSpec;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gridftp.data.Settings;
import org.diperf.plugins.lib.gridftp.data.Settings.Direction;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/** One client of managed transfers: a call is a job of many files. Its jobs live on the loop that holds its sockets. */
final class ManagedTransferClient implements AsyncClient {

    private static final int RETRIES = 5;
    private static final int MAX_RETRIES = 1_000;
    private static final Duration STALL = Duration.ofSeconds(60);

    private final GridFtpSession session;
    private final Settings settings;
    private final int retries;
    private final long stallNanos;
    private final List<Job> jobs = new ArrayList<>();
    private @Nullable OwnedLoop loop;

    /**
     * @param retries faults in a row without progress that a job bears
     * @param stallNanos after which a session without data is given up
     */
    ManagedTransferClient(GridFtpSession session, int retries, long stallNanos) {
        this.session = session;
        this.settings = session.resources().settings();
        this.retries = retries;
        this.stallNanos = stallNanos;
    }

    /** Checks what single parameters cannot say. */
    static void check(Server target, Settings settings, Parameters with) {
        if (with.has("mode")
                || settings.parallelism() != 1
                || settings.concurrency() != 1
                || settings.pipelining() != 1) {
            throw new IllegalArgumentException(
                    "managed: expected no mode, parallelism, concurrency or pipelining, because managed transfers "
                            + "choose these themselves; drop them or drop managed");
        }
        if (settings.offset() > 0 || settings.length() >= 0) {
            throw new IllegalArgumentException(
                    "managed: expected whole files, got offset or length; drop it or " + "drop managed");
        }
        if (!settings.keepsSession() || !settings.cachesData()) {
            throw new IllegalArgumentException(
                    "managed: expected neither connection: new nor cache-data-channels: false, because a job has "
                            + "its own sessions, got one; drop it");
        }
        long retries = retries(with);
        if (retries < 0 || retries > MAX_RETRIES) {
            throw new IllegalArgumentException(
                    "retries: expected a number from 0 to " + MAX_RETRIES + ", got " + retries);
        }
        Duration stall = stall(with);
        if (stall.isZero()) {
            throw new IllegalArgumentException(
                    "stall: expected more than 0, got " + Quantity.format(stall) + "; set a time such as 60s");
        }
        String path = settings.path() == null ? target.path() : String.valueOf(settings.path());
        if (settings.direction() == Direction.PUT
                && settings.local() == null
                && settings.files().isEmpty()
                && path.endsWith("/")) {
            throw new IllegalArgumentException(
                    "source: expected a folder on the tester, or the names of zero-filled files, got neither; set "
                            + "source: FOLDER or files: [NAME, ...]");
        }
        settings.checkTogether();
    }

    /** Returns how many faults in a row without progress a job bears. */
    static long retries(Parameters with) {
        return with.has("retries") ? with.integer("retries") : RETRIES;
    }

    /** Returns the time after which a session without data, or a server without an answer, is given up. */
    static Duration stall(Parameters with) {
        return with.has("stall") ? with.duration("stall") : STALL;
    }

    @Override
    public void open(Context context) {
        loop = session.resources().loops().of(context.loop());
    }

    @Override
    public void call(Call call) {
        OwnedLoop on = opened();
        Server server = session.servers().get(call.targetIndex());
        Text local = settings.direction() == Direction.THIRD_PARTY ? null : settings.local();
        List<String> names =
                settings.files().stream().map(each -> each.of(call)).toList();
        TransferSpec order = new TransferSpec(
                server,
                settings.direction() == Direction.THIRD_PARTY ? session.to() : null,
                path(call, server, local != null && names.isEmpty()),
                names,
                local == null ? null : Path.of(local.of(call)),
                retries,
                stallNanos);
        long ticket = call.ticket();
        Job job = new Job(call, on.eventLoop(), session.resources(), order, new Reports(on, call, ticket));
        if (!order.isWithinFolder()) {
            call.fail(ticket, Failure.ofExperiment("files: a name that leads out of the folder or contains a newline"));
            return;
        }
        on.toSockets(() -> {
            jobs.removeIf(Job::isOver);
            jobs.add(job);
            job.begin();
        });
    }

    /** Names the file or the folder on the target; what a folder of the tester is uploaded to is one, too. */
    private String path(Call call, Server server, boolean ofFolder) {
        Text path = settings.path();
        String found = server.resolve(path == null ? "" : path.of(call));
        boolean isFolder = settings.direction() == Direction.PUT && ofFolder && !found.endsWith("/");
        return isFolder ? found + "/" : found;
    }

    @Override
    public void cancel(Call call) {
        opened().toSockets(() -> jobs.removeIf(job -> job.cancel(call)));
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.toSockets(() -> jobs.forEach(Job::close));
        }
    }

    /** Tells a call, on its owner's loop, how its job gets on: what it is told before its timeout counts. */
    private record Reports(OwnedLoop on, Call call, long ticket) implements Job.Listener {

        @Override
        public void progressed(long bytes, long files, long faults) {
            on.toOwner(() -> {
                if (call.ticket() == ticket) {
                    call.bytes(bytes);
                    Job.report(call, files, faults);
                }
            });
        }

        @Override
        public void ended(Job job, @Nullable Failure failure) {
            on.toOwner(() -> {
                if (call.ticket() == ticket) {
                    job.report(call);
                }
                if (failure == null) {
                    call.ok(ticket);
                } else {
                    call.fail(ticket, failure);
                }
            });
        }
    }

    private OwnedLoop opened() {
        if (loop == null) {
            throw new IllegalStateException("open was not called");
        }
        return loop;
    }
}
