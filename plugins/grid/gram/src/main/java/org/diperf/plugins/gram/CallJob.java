package org.diperf.plugins.gram;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Url;
import org.diperf.plugins.gram.Settings.Until;
import org.jspecify.annotations.Nullable;

/**
 * A call's job, from its submission until the call has what it wants, and beyond where the job must be cancelled. Confined to its
 * event loop; its results may be read where the client is once it has ended.
 */
final class CallJob implements Listener.Subscriber {

    private static final String SUBMIT = "submit";
    private static final String CANCEL = "cancel";
    private static final int MAX_OUTPUT_KEPT = 64 << 10;
    private static final long LET_GO_MILLIS = 800;

    private final GramSession session;
    private final Gatekeeper gatekeeper;
    private final EventLoop loop;
    private final Settings settings;
    private final String rsl;
    private final Consumer<CallJob> whenEnded;
    private final long number;

    private @Nullable Listener listener;
    private @Nullable Exchange submission;
    /** What a job manager calls the job, {@code null} where it is not known. */
    private @Nullable Url contact;

    private @Nullable JobState state;
    private long stateNanos;
    private long acceptedNanos;
    private boolean accepted;
    private boolean committing;
    /** Whether the job manager has all that it waits for before it runs the job. */
    private boolean submitted;
    /** Whether it has told anything of the job by itself. */
    private boolean told;

    private @Nullable Future<?> firstWord;

    private boolean over;
    private boolean cancels;
    /** Whether the job manager has said that it cancels the job. */
    private boolean cancelAccepted;

    private boolean givenUp;
    private boolean ended;
    private @Nullable Failure overBecause;

    // Results.
    private final Map<JobState, Long> stateNanosIn = new EnumMap<>(JobState.class);
    private final StringBuilder text = new StringBuilder();
    private long outputBytes;
    private long connectNanos = -1;
    private long authenticateNanos = -1;
    private long delegateNanos = -1;
    private long submitNanos = -1;
    private long doneNanos = -1;
    private long cancelNanos = -1;
    private @Nullable Failure failure;

    /**
     * @param rsl empty for a ping
     * @param whenEnded is told once, on the event loop
     */
    CallJob(GramSession session, Gatekeeper gatekeeper, EventLoop loop, String rsl, Consumer<CallJob> whenEnded) {
        this.session = session;
        this.gatekeeper = gatekeeper;
        this.loop = loop;
        this.settings = session.settings();
        this.rsl = rsl;
        this.whenEnded = whenEnded;
        this.number = session.nextJob();
    }

    void begin() {
        if (session.isExpired()) {
            end(Failure.ofExperiment("GSI: the credential has expired"));
        } else if (settings.until() == Until.PING) {
            post(Exchange.Peer.GATEKEEPER, "ping/" + gatekeeper.contact().service(), "", "ping");
        } else if (settings.listens()) {
            Listener at = session.shareOf(loop).listener(gatekeeper);
            listener = at;
            at.whenReady(why -> {
                if (why != null) {
                    end(why);
                } else if (!ended) {
                    at.expect(number, this);
                    submit(at.url(number));
                }
            });
        } else {
            submit("");
        }
    }

    private void submit(String url) {
        boolean calledBack = settings.until().follows() && settings.pollEveryNanos() == 0;
        String described = settings.stages()
                ? "&(stdout=\"" + url + "/out\")(stderr=\"" + url + "/err\")"
                        + rsl.strip().substring(1)
                : rsl;
        post(
                Exchange.Peer.GATEKEEPER_WITH_PROXY,
                "/" + gatekeeper.contact().service(),
                GramMessage.jobRequest(calledBack ? url : "", described),
                SUBMIT);
    }

    private void post(Exchange.Peer peer, String path, String message, String name) {
        byte[] request = GramMessage.post(path, gatekeeper.contact().server().host(), message);
        Exchange made = new Exchange(
                session, gatekeeper, loop, peer, gatekeeper.contact().server().port(), request, name, this::submitted);
        submission = made;
        made.begin();
    }

    private void submitted(Exchange exchange) {
        connectNanos = exchange.connectNanos();
        authenticateNanos = exchange.authenticateNanos();
        delegateNanos = exchange.delegateNanos();
        submitNanos = exchange.requestNanos();
        if (settings.until() == Until.PING) {
            end(exchange.failure());
            return;
        }
        GramReply.Submission answer = GramReply.Submission.of(exchange, SUBMIT);
        GramReply.Accepted taken = answer.accepted();
        if (taken == null) {
            end(answer.failure());
            return;
        }
        contact = taken.job();
        acceptedNanos = session.clock().nanoTime();
        accepted = true;
        if (state == null) {
            state = JobState.UNSUBMITTED;
            stateNanos = acceptedNanos;
        }
        if (taken.committing() && !givenUp) {
            committing = true;
            ask("signal " + GramMessage.SIGNAL_COMMIT_REQUEST + " ", "commit", committed -> {
                Failure refused = GramReply.failureOf(committed, "commit");
                if (refused == null) {
                    running();
                } else {
                    end(refused);
                }
            });
        } else {
            running();
        }
    }

    private void running() {
        submitted = true;
        if (givenUp) {
            cancel();
        } else if (over) {
            finish();
        } else if (!settings.until().follows()) {
            end(null);
        } else {
            advance();
            if (settings.pollEveryNanos() > 0) {
                pollLater();
            } else if (!told) {
                firstWord = loop.schedule(this::missFirstWord, settings.firstWordNanos(), TimeUnit.NANOSECONDS);
            }
        }
    }

    private void waitForNoWord() {
        if (firstWord != null) {
            firstWord.cancel(false);
        }
    }

    /** Ends the call of a job whose manager cannot reach this tester, which it tells to nobody. */
    private void missFirstWord() {
        if (!told && !givenUp) {
            lose(Failure.ofService("callback: none received; can job managers reach callback-host?"));
        }
    }

    @Override
    public void told(String message) {
        told = true;
        waitForNoWord();
        try {
            take(GramReply.read(message), "failure-code");
        } catch (GramMessage.MalformedMessageException e) {
            lose(GramReply.malformed("callback"));
        } catch (GramReply.WrongVersionException e) {
            lose(GramReply.refused("callback", GramError.VERSION_MISMATCH));
        }
    }

    private void take(Map<String, String> message, String failureCode) throws GramMessage.MalformedMessageException {
        int code = GramMessage.number(message, "status");
        JobState next = JobState.of(code).orElseThrow(() -> new GramMessage.MalformedMessageException("unknown state"));
        if (over) {
            if (!next.isLast()) {
                stateNanosIn.putIfAbsent(next, 0L);
            }
            return;
        }
        long now = session.clock().nanoTime();
        leave(now);
        if (next != state) {
            stateNanos = now;
            state = next;
        }
        if (!next.isLast()) {
            stateNanosIn.putIfAbsent(next, 0L);
            advance();
            return;
        }
        over = true;
        doneNanos = accepted ? now - acceptedNanos : 0;
        if (next == JobState.FAILED) {
            int why = GramMessage.number(message, failureCode);
            boolean wanted = cancels && why == GramError.USER_CANCELLED && settings.until() == Until.CANCELLED;
            overBecause = wanted ? null : GramReply.refused("job", why);
        } else if (settings.until() == Until.CANCELLED) {
            overBecause = Failure.ofService("cancel: the job had already ended");
        } else {
            String exit = message.getOrDefault("exit-code", "0").strip();
            overBecause = exit.equals("0") ? null : Failure.ofService("job: exit " + exit);
        }
        if (submitted) {
            finish();
        }
    }

    /** Adds what has passed to the state in which the job is. */
    private void leave(long now) {
        JobState was = state;
        if (was != null && !was.isLast()) {
            stateNanosIn.merge(was, now - stateNanos, Long::sum);
            stateNanos = now;
        }
    }

    /** Does what the state that was entered asks for. */
    private void advance() {
        JobState now = state;
        if (givenUp || !submitted || now == null) {
            return;
        }
        if (now == JobState.ACTIVE && settings.until() == Until.ACTIVE) {
            end(null);
        } else if (settings.until() == Until.CANCELLED
                && (now == JobState.ACTIVE || now == JobState.PENDING || now == JobState.SUSPENDED)) {
            cancel();
        }
    }

    private void finish() {
        if (!committing) {
            end(overBecause);
            return;
        }
        // The job manager keeps what it knows of the job until this.
        ask("signal " + GramMessage.SIGNAL_COMMIT_END + " ", "commit", committed -> end(overBecause));
    }

    private void pollLater() {
        loop.schedule(
                () -> {
                    if (!ended && !over) {
                        ask("status", "status", this::polled);
                    }
                },
                settings.pollEveryNanos(),
                TimeUnit.NANOSECONDS);
    }

    private void polled(Exchange exchange) {
        if (ended || over) {
            return;
        }
        try {
            Failure why = exchange.failure();
            Map<String, String> reply = why == null ? GramReply.read(exchange.body()) : Map.of();
            int refused = why == null ? GramMessage.number(reply, "failure-code") : 0;
            boolean gone = refused == GramError.JOB_CONTACT_NOT_FOUND
                    || (why != null && why.kind().equals("status: connection refused"));
            if (gone) {
                forgotten();
            } else if (why != null) {
                lose(why);
            } else if (refused != 0) {
                lose(GramReply.refused("status", refused));
            } else {
                take(reply, "job-failure-code");
            }
        } catch (GramMessage.MalformedMessageException e) {
            lose(GramReply.malformed("status"));
        } catch (GramReply.WrongVersionException e) {
            lose(GramReply.refused("status", GramError.VERSION_MISMATCH));
        }
        if (!ended && !over) {
            pollLater();
        }
    }

    /**
     * Takes the end of a job that nobody knows any more: a job manager forgets a job at its end, unless it waits for a commit, and
     * ends with its last job.
     */
    private void forgotten() throws GramMessage.MalformedMessageException {
        if (cancels && !cancelAccepted) {
            // Whether it was cancelled or had ended before, says the answer that is on its way.
            return;
        }
        JobState last = cancelAccepted ? JobState.FAILED : JobState.DONE;
        take(
                Map.of(
                        "status", String.valueOf(last.code()),
                        "failure-code", String.valueOf(GramError.USER_CANCELLED)),
                "failure-code");
    }

    /** Ends the call, of whose job nothing is known any more, and the job. */
    private void lose(Failure why) {
        if (ended) {
            return;
        }
        givenUp = true;
        cancel();
        end(why);
    }

    private void ask(String what, String name, Exchange.Owner then) {
        Url job = contact;
        if (job == null) {
            return;
        }
        byte[] request = GramMessage.post(job.path(), String.valueOf(job.host()), GramMessage.query(what));
        new Exchange(session, gatekeeper, loop, Exchange.Peer.JOB_MANAGER, job.port(), request, name, then).begin();
    }

    private void cancel() {
        if (cancels || over || contact == null) {
            return;
        }
        cancels = true;
        long asked = session.clock().nanoTime();
        ask("cancel", CANCEL, exchange -> {
            Failure why = GramReply.failureOf(exchange, CANCEL);
            cancelNanos = session.clock().nanoTime() - asked;
            cancelAccepted = why == null;
            if (givenUp) {
                end(Failure.ofService("cancelled"));
            } else if (why != null && !over) {
                end(why);
            }
        });
    }

    /**
     * Gives up: the job is cancelled as soon as its name is known. The end comes when that has been asked for, or after a moment
     * at the latest.
     */
    void giveUp() {
        if (ended || givenUp) {
            return;
        }
        givenUp = true;
        if (contact != null) {
            cancel();
        }
        if (over || !mayRun()) {
            end(Failure.ofService("cancelled"));
        } else {
            loop.schedule(() -> end(Failure.ofService("cancelled")), LET_GO_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns whether the gatekeeper may have started the job. */
    private boolean mayRun() {
        return accepted || (submission != null && submission.isAsked() && settings.until() != Until.PING);
    }

    @Override
    public void output(String name, ByteBuf bytes) {
        outputBytes += bytes.readableBytes();
        if (text.length() < MAX_OUTPUT_KEPT) {
            text.append(bytes.toString(StandardCharsets.UTF_8));
        }
    }

    private void end(@Nullable Failure why) {
        if (ended) {
            return;
        }
        ended = true;
        failure = why;
        waitForNoWord();
        if (listener != null) {
            listener.forget(number);
        }
        Exchange asked = submission;
        if (asked != null && !mayRun()) {
            asked.abandon();
        }
        whenEnded.accept(this);
    }

    @Nullable
    Failure failure() {
        return failure;
    }

    /** Returns what the job was in each state, in ns, of those that it was in. */
    Map<JobState, Long> states() {
        return stateNanosIn;
    }

    /** Counts what was sent of the job and came back of its output. */
    long bytes() {
        return rsl.getBytes(StandardCharsets.UTF_8).length + outputBytes;
    }

    /** Returns the output, cut where it is long. */
    String text() {
        return text.toString();
    }

    long connectNanos() {
        return connectNanos;
    }

    long authenticateNanos() {
        return authenticateNanos;
    }

    long delegateNanos() {
        return delegateNanos;
    }

    long submitNanos() {
        return submitNanos;
    }

    long doneNanos() {
        return doneNanos;
    }

    long cancelNanos() {
        return cancelNanos;
    }
}
