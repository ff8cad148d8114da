package org.diperf.plugins.srm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gridftp.data.FtpSession;
import org.diperf.plugins.lib.gridftp.data.Transfer;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.diperf.plugins.srm.Messages.Message;
import org.diperf.plugins.srm.SoapConnection.Exchange;
import org.diperf.plugins.srm.SrmSettings.Operation;
import org.jspecify.annotations.Nullable;

/**
 * One user of storage: a call is one file, or one question. It has a connection to each manager and sessions with the GridFTP
 * servers that transfer URLs name, one for each file under way there. These live on the loop that holds its sockets; the rest on
 * its owner's.
 */
final class SrmClient implements AsyncClient {

    /** How long the abort of a call that was cancelled may take before its connection is closed. */
    private static final long LEAVE_NANOS = 2_000_000_000L;

    private final SrmSession session;
    private final SrmSettings settings;
    private final @Nullable SoapConnection[] connections;
    private final @Nullable FileRequest[] gathering;
    private final Map<ServerKey, List<FtpSession>> ftpSessions = new HashMap<>();
    /** Whose call has not ended, and the request of its file. */
    private final Map<FileTask, FileRequest> underWay = new LinkedHashMap<>();

    private final List<FileTask> questions = new ArrayList<>();
    private @Nullable OwnedLoop loop;
    private int client;
    private boolean closed;

    /** With whom a session is. */
    private record ServerKey(InetSocketAddress address, boolean secure, String user) {}

    SrmClient(SrmSession session) {
        this.session = session;
        this.settings = session.settings();
        this.connections = new SoapConnection[session.targets()];
        this.gathering = new FileRequest[session.targets()];
    }

    @Override
    public void open(Context context) {
        client = context.client();
        loop = session.resources().loops().of(context.loop());
    }

    @Override
    public int callsAtOnce() {
        return settings.batch();
    }

    private OwnedLoop opened() {
        if (loop == null) {
            throw new IllegalStateException("open was not called");
        }
        return loop;
    }

    @Override
    public void call(Call call) {
        OwnedLoop on = opened();
        long beginNanos = session.clock().nanoTime();
        SrmTarget target = session.target(call.targetIndex());
        String named = target.surl(file(call));
        Text to = settings.to();
        Text from = settings.from();
        String surl = from == null ? named : target.surlOrOther(from.of(call));
        String copyTo = from != null ? named : to == null ? "" : target.surlOrOther(to.of(call));
        Text local = settings.transfers().local();
        Path localFile = local == null || !settings.moves() ? null : Path.of(local.of(call));
        FileTask task = new FileTask(call, on, surl, copyTo, localFile, beginNanos);
        on.toSockets(() -> begin(task));
    }

    /** Names the file of a call: one after another of the list, where clients begin at different places. */
    private String file(Call call) {
        List<Text> files = settings.files();
        if (!files.isEmpty()) {
            return files.get((int) Math.floorMod(call.number() + call.client(), (long) files.size()))
                    .of(call);
        }
        Text path = settings.path();
        return path == null ? "" : path.of(call);
    }

    private SoapConnection connection(int target) {
        SoapConnection made = connections[target];
        if (made == null) {
            made = new SoapConnection(session, target, client, opened().eventLoop());
            connections[target] = made;
        }
        return made;
    }

    private void begin(FileTask task) {
        Messages messages = settings.messages();
        switch (settings.operation()) {
            case PING -> ask(task, messages.ping());
            case LS -> ask(task, messages.ls(task.surl, settings.levels(), settings.detailed()));
            case GET, BRING_ONLINE, COPY -> gather(task);
            case PUT -> {
                try {
                    Path from = task.localFile;
                    task.plannedBytes = from == null ? settings.transfers().size() : Files.size(from);
                } catch (IOException e) {
                    task.end(Failures.ofLocalFile(e));
                    return;
                }
                gather(task);
            }
        }
    }

    private void ask(FileTask task, Message message) {
        questions.add(task);
        connection(task.target).ask(new Exchange(message) {
            @Override
            void answered(SrmResponse answer) {
                questions.remove(task);
                task.connectNanos = connectNanos;
                task.sentNanos = sentNanos;
                task.preparedNanos = session.clock().nanoTime();
                task.bytes = bytes;
                if (settings.operation() == Operation.LS) {
                    task.entries = answer.entries();
                }
                task.end(answer.isSuccess() ? null : Failure.ofService(operation() + ": " + answer.code()));
            }

            @Override
            void failed(Failure why) {
                questions.remove(task);
                task.end(why);
            }
        });
    }

    private void gather(FileTask task) {
        underWay.keySet().removeIf(FileTask::isOver);
        FileRequest request = gathering[task.target];
        if (request == null || !request.takes(task)) {
            if (request != null) {
                request.send();
            }
            request = new FileRequest(session, connection(task.target), opened().eventLoop(), this::ready);
            gathering[task.target] = request;
        }
        underWay.put(task, request);
        request.add(task);
    }

    // --- the transfer

    private void ready(FileRequest request, FileTask task, String turl) {
        if (!settings.moves()) {
            request.finish(task);
            return;
        }
        CompletableFuture<Server> finding;
        try {
            finding = session.servers().find(turl);
        } catch (IllegalArgumentException e) {
            fail(request, task, Failure.ofService("transferURL: not a GridFTP URL"));
            return;
        }
        if (finding.isDone()) {
            found(request, task, finding);
        } else {
            finding.whenComplete((any, thrown) -> opened().eventLoop().execute(() -> found(request, task, finding)));
        }
    }

    private void found(FileRequest request, FileTask task, CompletableFuture<Server> finding) {
        Server server = finding.isCompletedExceptionally() ? null : finding.join();
        if (task.isOver()) {
            request.giveUp(task);
        } else if (server == null || server.address().isUnresolved()) {
            fail(request, task, Failure.ofService("transferURL: unknown host"));
        } else if (server.secure() && !session.hasGsi()) {
            fail(request, task, Failure.ofExperiment("transferURL: gsiftp, which needs proxy-file and ca-dir"));
        } else {
            move(request, task, server);
        }
    }

    private void move(FileRequest request, FileTask task, Server server) {
        Transfer transfer = new Transfer(
                task,
                opened().eventLoop(),
                session.resources(),
                server.path(),
                "",
                task.localFile,
                (ended, failure) -> moved(request, task, failure));
        task.transfer = transfer;
        sessionWith(server).begin(transfer);
    }

    /** Finds a session that has nothing to do. */
    private FtpSession sessionWith(Server server) {
        ServerKey key = new ServerKey(server.address(), server.secure(), server.user());
        List<FtpSession> all = ftpSessions.computeIfAbsent(key, any -> new ArrayList<>(1));
        for (Iterator<FtpSession> each = all.iterator(); each.hasNext(); ) {
            FtpSession there = each.next();
            if (there.inFlight() == 0) {
                if (!there.isUsedUp()) {
                    return there;
                }
                each.remove();
            }
        }
        FtpSession made = new FtpSession(session.resources(), server, null, opened().eventLoop());
        all.add(made);
        return made;
    }

    private void moved(FileRequest request, FileTask task, @Nullable Failure failure) {
        if (task.isOver()) {
            return;
        }
        task.transferredNanos = session.clock().nanoTime();
        if (failure != null) {
            fail(request, task, failure.in("transfer"));
        } else {
            request.finish(task);
        }
    }

    private static void fail(FileRequest request, FileTask task, Failure why) {
        request.giveUp(task);
        task.end(why);
    }

    // --- the end

    @Override
    public void cancel(Call call) {
        opened().toSockets(() -> {
            for (Map.Entry<FileTask, FileRequest> each : List.copyOf(underWay.entrySet())) {
                if (each.getKey().isOf(call)) {
                    cancel(each.getKey(), each.getValue());
                }
            }
            for (FileTask question : List.copyOf(questions)) {
                if (question.isOf(call)) {
                    question.end(Failure.ofService("cancelled"));
                    leave(question.target);
                }
            }
        });
    }

    private void cancel(FileTask task, FileRequest request) {
        boolean ready = task.readyNanos > 0;
        task.end(Failure.ofService("cancelled"));
        ftpSessions.values().forEach(all -> all.forEach(each -> each.cancel(task)));
        if (ready) {
            request.giveUp(task);
        } else {
            request.left();
        }
        underWay.keySet().removeIf(FileTask::isOver);
        if (underWay.isEmpty()) {
            // Its last message may never be answered, and the next call shall not wait for that.
            leave(task.target);
        }
    }

    private void leave(int target) {
        SoapConnection leaving = connections[target];
        connections[target] = null;
        gathering[target] = null;
        if (leaving != null) {
            leaving.closeWithin(closed ? 0 : LEAVE_NANOS);
        }
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.toSockets(() -> {
                closed = true;
                for (SoapConnection each : connections) {
                    if (each != null) {
                        each.closeWithin(LEAVE_NANOS);
                    }
                }
                ftpSessions.values().forEach(all -> all.forEach(FtpSession::close));
            });
        }
    }
}
