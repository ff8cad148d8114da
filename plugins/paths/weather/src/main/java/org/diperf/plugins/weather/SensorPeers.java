package org.diperf.plugins.weather;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;

/** The other members of a clique, over the network. Confined to the thread of its member. */
final class SensorPeers implements CliqueMember.Peers {

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);
    private static final long SILENT = -1;

    private final String host;
    private final Reporter reporter;
    private final ProbeLog log;
    private final Map<Integer, AdaptiveTimeOut> timeOuts = new ConcurrentHashMap<>();
    private final Map<Integer, Boolean> silent = new ConcurrentHashMap<>();

    /** @param host the sensor's registered name */
    SensorPeers(String host, Reporter reporter, ProbeLog log) {
        this.host = host;
        this.reporter = reporter;
        this.log = log;
    }

    private Duration timeOut(Clique clique, int member) {
        Duration most = clique.period().dividedBy(8);
        Duration own;
        AdaptiveTimeOut known = timeOuts.computeIfAbsent(member, each -> new AdaptiveTimeOut(MAX_WAIT));
        synchronized (known) {
            // Who was silent in the last round is not waited for again: it is the others that wait.
            own = silent.containsKey(member) ? AdaptiveTimeOut.LEAST : known.current();
        }
        return own.compareTo(most) < 0 ? own : most;
    }

    private Message exchange(Clique clique, int member, Message request) throws IOException {
        long began = NanoClock.SYSTEM.nanoTime();
        try {
            Message answer = Link.ask(clique.member(member), request, timeOut(clique, member));
            heard(member, NanoClock.SYSTEM.nanoTime() - began);
            return answer;
        } catch (IOException e) {
            silent.put(member, true);
            throw e;
        }
    }

    private void heard(int member, long nanos) {
        silent.remove(member);
        AdaptiveTimeOut known = timeOuts.computeIfAbsent(member, each -> new AdaptiveTimeOut(MAX_WAIT));
        synchronized (known) {
            known.took(nanos);
        }
    }

    private static String numbers(BitSet of) {
        return of.stream().mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    @Override
    public long[] ask(Clique clique, int me, long round, boolean first, Duration lasts) {
        int n = clique.members().size();
        long[] answers = new long[n];
        Arrays.fill(answers, SILENT);
        String text = clique.text() + "\tcandidate:" + me + "\tround:" + round + "\tfirst:" + (first ? 1 : 0)
                + "\tlasts:" + lasts.toMillis() + "\t\t";
        CountDownLatch answered = new CountDownLatch(n - 1);
        for (int i = 0; i < n; i++) {
            int member = i;
            if (i != me) {
                Host.start("diperf-nws-ask", () -> {
                    try {
                        Message answer = exchange(clique, member, Message.of(Message.CLIQUE_GRANT, text));
                        long wait = answer.type() == Message.CLIQUE_GRANTED ? 0 : waits(answer, lasts);
                        synchronized (answers) {
                            answers[member] = wait;
                        }
                    } catch (IOException e) {
                        // silent
                    } finally {
                        answered.countDown();
                    }
                });
            }
        }
        try {
            answered.await(clique.period().toNanos() / 4, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (answers) {
            return answers.clone();
        }
    }

    private static long waits(Message refusal, Duration most) {
        try {
            long millis = Long.parseLong(Attributes.read(refusal.text()).get("wait"));
            return Math.max(1, Math.min(most.toMillis(), millis)) * 1_000_000;
        } catch (IllegalArgumentException e) {
            return most.toNanos();
        }
    }

    @Override
    public void release(Clique clique, int me, long round) {
        String text = "name:" + clique.name() + "\tcandidate:" + me + "\tround:" + round + "\t\t";
        for (int i = 0; i < clique.members().size(); i++) {
            if (i != me && !silent.containsKey(i)) {
                try {
                    exchange(clique, i, Message.of(Message.CLIQUE_RELEASE, text));
                } catch (IOException e) {
                    // Its promise ends with its time.
                }
            }
        }
    }

    @Override
    public CliqueMember.Passed pass(Clique clique, int to, CliqueMember.Token token) {
        String which = "name:" + clique.name() + "\tgeneration:" + clique.generation() + "\tleader:" + token.leader()
                + "\tround:" + token.round();
        InetSocketAddress address = clique.member(to);
        Duration within = timeOut(clique, to);
        boolean sent = false;
        try (Link link = Link.to(address, within)) {
            link.send(Message.of(Message.CLIQUE_OFFER, which + "\t\t"), within);
            if (link.receive(within, Attributes.MAX_CHARS).type() != Message.CLIQUE_READY) {
                return CliqueMember.Passed.REFUSED;
            }
            long left = token.deadlineNanos() - NanoClock.SYSTEM.nanoTime();
            if (left <= 0) {
                return CliqueMember.Passed.UNKNOWN;
            }
            sent = true;
            link.send(
                    Message.of(
                            Message.CLIQUE_TOKEN,
                            which + "\tlive:" + numbers(token.live()) + "\tvisited:" + numbers(token.visited())
                                    + "\tleft:" + left / 1000 + "\t\t"),
                    within);
            return link.receive(within, Attributes.MAX_CHARS).type() == Message.CLIQUE_DONE
                    ? CliqueMember.Passed.TAKEN
                    : CliqueMember.Passed.REFUSED;
        } catch (IOException e) {
            return sent ? CliqueMember.Passed.UNKNOWN : CliqueMember.Passed.REFUSED;
        }
    }

    @Override
    public long probe(Clique clique, int target, CliqueMember.Token token, Duration within) {
        String member = clique.members().get(target);
        String what = clique.name() + "," + token.leader() + "," + token.round() + "," + host + "," + member + ",";
        long began = NanoClock.SYSTEM.nanoTime();
        log.line("begin," + what + began);
        try {
            NetProbe.Found found = NetProbe.probe(clique.member(target), clique.probes(), within, NanoClock.SYSTEM);
            long ended = NanoClock.SYSTEM.nanoTime();
            log.line("end," + what + ended);
            double now = WallClock.SYSTEM.unixSeconds();
            reporter.store(Series.bandwidth(host, member, clique.probes()), now, found.megabitsPerSecond());
            reporter.store(Series.millis(host, "latencyTcp", member), now, found.latencyMillis());
            reporter.store(Series.millis(host, "connectTimeTcp", member), now, found.connectMillis());
            return ended - began;
        } catch (IOException e) {
            log.line("failed," + what + NanoClock.SYSTEM.nanoTime());
            return -1;
        }
    }
}
