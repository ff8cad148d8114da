package org.diperf.plugins.srm;

import io.netty.channel.EventLoop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.srm.Messages.Copy;
import org.diperf.plugins.srm.Messages.Message;
import org.diperf.plugins.srm.Messages.Put;
import org.diperf.plugins.srm.SoapConnection.Exchange;
import org.diperf.plugins.srm.SrmResponse.FileStatus;
import org.diperf.plugins.srm.SrmSettings.Operation;

/**
 * Files that are asked for together: prepared by one message, and asked about by its token until each is ready or failed. What
 * is ready goes on alone. Confined to its event loop.
 */
final class FileRequest {

    /** What happens to files that are ready. */
    interface Ready {
        void ready(FileRequest request, FileTask task, String turl);
    }

    private final SrmSession session;
    private final SoapConnection connection;
    private final EventLoop loop;
    private final Operation operation;
    private final Ready ready;
    private final Map<String, FileTask> waiting = new LinkedHashMap<>();
    private int size;
    private boolean sent;
    private String token = "";
    private long pollNanos;
    private int polls;

    FileRequest(SrmSession session, SoapConnection connection, EventLoop loop, Ready ready) {
        this.session = session;
        this.connection = connection;
        this.loop = loop;
        this.operation = session.settings().operation();
        this.ready = ready;
        this.pollNanos = session.settings().pollNanos();
    }

    /** Returns whether it takes this file, too. */
    boolean takes(FileTask task) {
        return !sent && size < session.settings().batch() && !waiting.containsKey(task.surl);
    }

    /** Adds a file; the request goes out when it is full, or {@code gather} after the first. */
    void add(FileTask task) {
        waiting.put(task.surl, task);
        size++;
        if (size >= session.settings().batch()) {
            send();
        } else if (size == 1) {
            loop.schedule(this::send, session.settings().gatherNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private Messages messages() {
        return session.settings().messages();
    }

    /** Sends the request, if that has not happened. */
    void send() {
        if (sent) {
            return;
        }
        sent = true;
        waiting.values().removeIf(FileTask::isOver);
        if (waiting.isEmpty()) {
            return;
        }
        size = waiting.size();
        connection.ask(new Exchange(message()) {
            @Override
            void answered(SrmResponse answer) {
                long now = session.clock().nanoTime();
                for (FileTask task : waiting.values()) {
                    task.connectNanos = connectNanos;
                    task.sentNanos = sentNanos;
                    task.preparedNanos = now;
                }
                token = answer.token();
                take(answer, operation());
            }

            @Override
            void failed(Failure why) {
                failAll(why);
            }
        });
    }

    private Message message() {
        List<String> surls = List.copyOf(waiting.keySet());
        return switch (operation) {
            case BRING_ONLINE -> messages().bringOnline(surls);
            case COPY ->
                messages()
                        .copy(waiting.values().stream()
                                .map(task -> new Copy(task.surl, task.copyTo))
                                .toList());
            case PUT ->
                messages()
                        .prepareToPut(waiting.values().stream()
                                .map(task -> new Put(task.surl, task.plannedBytes))
                                .toList());
            default -> messages().prepareToGet(surls);
        };
    }

    private void failAll(Failure why) {
        List<FileTask> ending = List.copyOf(waiting.values());
        waiting.clear();
        ending.forEach(task -> task.end(why));
    }

    private void take(SrmResponse answer, String name) {
        long told = -1;
        for (FileStatus status : answer.files()) {
            FileTask task = waiting.get(status.surl());
            if (task == null && waiting.size() == 1 && size == 1) {
                task = waiting.values().iterator().next(); // a server may write the name of the one file in another way
            }
            if (task == null) {
                continue;
            }
            if (status.isWaiting()) {
                told = status.waitSeconds() < 0 ? told : Math.max(told, status.waitSeconds());
            } else {
                waiting.remove(task.surl);
                one(task, status, name);
            }
        }
        if (isLeft()) {
            giveUpWaiting();
        } else if (operation == Operation.BRING_ONLINE
                && answer.isSuccess()
                && answer.files().isEmpty()) {
            // What a manager without tapes may say of all files at once.
            List<FileTask> online = List.copyOf(waiting.values());
            waiting.clear();
            online.forEach(task -> ready(task, ""));
        } else if (!answer.isWaiting() && answer.files().isEmpty() || !answer.isWaiting() && !anyWaiting(answer)) {
            // The request is over, and nothing was said of what is still waited for.
            failAll(Failure.ofService(name + ": " + (answer.isSuccess() ? "SRM_SUCCESS" + lacks() : answer.code())));
        } else if (token.isEmpty()) {
            failAll(Failure.ofService(name + ": no requestToken"));
        } else {
            poll(told);
        }
    }

    private String lacks() {
        return operation.isTransfer() ? " without a transferURL" : " without a file's status";
    }

    private static boolean anyWaiting(SrmResponse answer) {
        return answer.files().stream().anyMatch(FileStatus::isWaiting);
    }

    private void one(FileTask task, FileStatus status, String name) {
        task.polls = polls;
        if (task.isOver()) {
            giveUp(task);
        } else if (!status.isReady(operation)) {
            String code = status.code().isEmpty() ? "a file without a status" : status.code();
            boolean nowhere = operation.isTransfer() && SrmResponse.READY.contains(code);
            giveUpRoom(task);
            task.end(Failure.ofService(name + ": " + code + (nowhere ? lacks() : "")));
        } else {
            if (operation == Operation.COPY) {
                task.bytes = status.size();
            }
            ready(task, status.turl());
        }
    }

    private void ready(FileTask task, String turl) {
        task.readyNanos = session.clock().nanoTime();
        ready.ready(this, task, turl);
    }

    private void giveUpRoom(FileTask task) {
        if (waiting.isEmpty() && size == 1) {
            return; // a request of one file that failed is over
        }
        giveUp(task);
    }

    private void poll(long toldSeconds) {
        long delay = toldSeconds >= 0 ? TimeUnit.SECONDS.toNanos(Math.max(1, toldSeconds)) : pollNanos;
        if (toldSeconds < 0) {
            pollNanos = Math.min(session.settings().mostPollNanos(), 2 * pollNanos);
        }
        loop.schedule(this::ask, delay, TimeUnit.NANOSECONDS);
    }

    private void ask() {
        if (isLeft()) {
            giveUpWaiting();
            return;
        }
        polls++;
        connection.ask(new Exchange(messages().status(operation, token)) {
            @Override
            void answered(SrmResponse answer) {
                take(answer, operation());
            }

            @Override
            void failed(Failure why) {
                giveUpWaiting().forEach(task -> task.end(why));
            }
        });
    }

    /** Takes note that a call was cancelled before its file was ready: the server need not go on where nobody waits any more. */
    void left() {
        // Without a token the answer that brings it has the same effect.
        if (!token.isEmpty() && isLeft()) {
            giveUpWaiting();
        }
    }

    /** Returns whether nobody waits any more. */
    private boolean isLeft() {
        return waiting.values().stream().allMatch(FileTask::isOver);
    }

    /** Waits for nothing more, and has the server give up what was waited for; returns that. */
    private List<FileTask> giveUpWaiting() {
        List<FileTask> left = List.copyOf(waiting.values());
        waiting.clear();
        if (left.size() < size) {
            // Others of the request may be on their way.
            left.forEach(this::giveUp);
        } else if (!token.isEmpty()) {
            abort(messages().abortRequest(token));
        }
        return left;
    }

    /** Says that a file is done: released, or complete, or given up where it was asked for alone. A copy is done already. */
    void finish(FileTask task) {
        if (operation == Operation.COPY || (operation == Operation.BRING_ONLINE && token.isEmpty())) {
            task.end(null);
            return;
        }
        boolean moves = session.settings().moves();
        Message message = operation != Operation.PUT
                ? messages().releaseFiles(token, task.surl)
                : moves ? messages().putDone(token, task.surl) : abortOf(task);
        connection.ask(new Exchange(message) {
            @Override
            void answered(SrmResponse answer) {
                task.finishedNanos = session.clock().nanoTime();
                task.end(answer.isSuccess() ? null : Failure.ofService(operation() + ": " + answer.code()));
            }

            @Override
            void failed(Failure why) {
                task.end(why);
            }
        });
    }

    /** Gives up the pin or the room of a file whose call ends without it; nobody waits for the answer. */
    void giveUp(FileTask task) {
        if (!token.isEmpty()) {
            abort(abortOf(task));
        }
    }

    private Message abortOf(FileTask task) {
        return size == 1 ? messages().abortRequest(token) : messages().abortFiles(token, task.surl);
    }

    private void abort(Message message) {
        connection.ask(new Exchange(message) {
            @Override
            void answered(SrmResponse answer) {
                // Whatever it says, the call has ended.
            }

            @Override
            void failed(Failure why) {
                // So does the request, by its time.
            }
        });
    }
}
