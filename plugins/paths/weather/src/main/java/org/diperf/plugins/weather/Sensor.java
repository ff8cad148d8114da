package org.diperf.plugins.weather;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * A sensor: measures its host each {@link #LOCAL_PERIOD}, answers probes, and takes part in the cliques that have it as a member. It probes nobody but
 * members of such cliques, and sends its bytes only to what answers as a sensor. Thread-safe.
 */
final class Sensor implements Host.Service, AutoCloseable {

    static final int PORT = 8060;
    static final Duration LOCAL_PERIOD = Duration.ofSeconds(10);
    static final int MAX_CLIQUES = 32;

    private static final long LONGEST_SLEEP_NANOS = 1_000_000_000;

    private final String name;
    private final Set<String> names;
    private final Reporter reporter;
    private final Registrar registrar;
    private final ProbeLog log;
    private final NanoClock clock;
    private final long startedNanos;
    private final NetProbe probes = new NetProbe(Host.PATIENCE);
    private final Map<String, CliqueMember> cliques = new LinkedHashMap<>();
    private final Map<String, Thread> threads = new LinkedHashMap<>();
    private volatile boolean closed;

    /**
     * @param name HOST:PORT by which it is registered
     * @param names HOST:PORT of all its addresses, by which cliques may know it
     */
    Sensor(String name, Set<String> names, Reporter reporter, Registrar registrar, ProbeLog log, NanoClock clock) {
        this.name = name;
        this.names = Set.copyOf(names);
        this.reporter = reporter;
        this.registrar = registrar;
        this.log = log;
        this.clock = clock;
        startedNanos = clock.nanoTime();
    }

    /** Registers what activities it can be asked for, as NWS's sensors do. */
    void registerSkills() {
        registrar.add(Attributes.of(
                "name", name + ".clique",
                "objectclass", "nwsControl",
                "controlName", "clique",
                "host", name,
                "option", "member,period",
                "skillName", "tcpMessageMonitor",
                "member", "2_to_" + Clique.MAX_MEMBERS + "_sensor",
                "period", "0_to_1_int"));
        registrar.add(Attributes.of(
                "name", name + ".tcpMessageMonitor",
                "objectclass", "nwsSkill",
                "host", name,
                "option", "buffer,message,size",
                "skillName", "tcpMessageMonitor",
                "buffer", "0_to_1_int",
                "message", "0_to_1_int",
                "size", "0_to_1_int"));
    }

    /** Measures its host until it is closed; on a thread of its own. */
    void measureItself(Path disk) {
        Host.start("diperf-nws-local", () -> {
            LocalResources resources = new LocalResources(Path.of("/proc"), disk);
            while (!closed) {
                try {
                    double now = WallClock.SYSTEM.unixSeconds();
                    resources
                            .measure()
                            .forEach((resource, value) -> reporter.store(Series.local(name, resource), now, value));
                } catch (IOException | RuntimeException e) {
                    // Not Linux, or not all of it: the paths are measured all the same.
                }
                LockSupport.parkNanos(LOCAL_PERIOD.toNanos());
            }
        });
    }

    @Override
    public @Nullable Message answer(Message request, Link link) throws IOException {
        return switch (request.type()) {
            case Message.TCP_BW_REQ -> {
                probes.answer(request.data(), link);
                yield null;
            }
            case Message.ACTIVITY_START ->
                Message.of(started(request) ? Message.ACTIVITY_STARTED : Message.SENSOR_FAILED);
            case Message.ACTIVITY_STOP ->
                Message.of(stopped(request.text()) ? Message.ACTIVITY_STOPPED : Message.SENSOR_FAILED);
            case Message.CLIQUE_STOP -> {
                Attributes which = Attributes.read(request.text());
                stop(which.name(), Clique.generation(which));
                yield Message.of(Message.CLIQUE_DONE);
            }
            case Message.CLIQUE_GRANT -> granted(Attributes.read(request.text()));
            case Message.CLIQUE_RELEASE -> {
                Attributes which = Attributes.read(request.text());
                CliqueMember member = member(which.name());
                if (member != null) {
                    member.release(
                            (int) which.whole("candidate", 0, Clique.MAX_MEMBERS),
                            which.whole("round", 0, Long.MAX_VALUE));
                }
                yield Message.of(Message.CLIQUE_DONE);
            }
            case Message.CLIQUE_OFFER -> offered(Attributes.read(request.text()), link);
            default -> null;
        };
    }

    private synchronized @Nullable CliqueMember member(String clique) {
        return cliques.get(clique);
    }

    private int indexIn(Clique clique) {
        for (int i = 0; i < clique.members().size(); i++) {
            String each = clique.members().get(i);
            if (names.contains(each) || names.contains(each + ":" + PORT)) {
                return i;
            }
        }
        return -1;
    }

    private boolean started(Message request) {
        String[] words = new String(request.data(), StandardCharsets.ISO_8859_1).split("\0", -1);
        if (words.length < 4 || !words[1].equals("clique") || !words[2].equals("tcpMessageMonitor")) {
            return false;
        }
        Clique clique = Clique.started(words[0], WallClock.SYSTEM.unixSeconds(), words[3]);
        return take(clique, true) == 0;
    }

    /** Begins or joins a clique; returns 0, or how long to wait until it can in ns. */
    private synchronized long take(Clique clique, boolean begins) {
        int me = indexIn(clique);
        CliqueMember before = cliques.get(clique.name());
        if (me < 0 || before == null && cliques.size() >= MAX_CLIQUES) {
            return clique.period().toNanos();
        }
        if (before != null && before.clique().generation() > clique.generation()) {
            return clique.period().toNanos();
        }
        if (before == null || before.clique().generation() < clique.generation()) {
            long until = before == null ? startedNanos : before.retired();
            wake(clique.name());
            CliqueMember member = new CliqueMember(
                    clique, me, new SensorPeers(name, reporter, log), clock, startedNanos, until, begins);
            cliques.put(clique.name(), member);
            threads.put(clique.name(), Host.start("diperf-nws-clique-" + clique.name(), () -> run(member)));
        }
        return 0;
    }

    private void run(CliqueMember member) {
        long registered = -1;
        while (!closed && !member.isStopped()) {
            long wait = member.nextNanos() - clock.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(Math.min(wait, LONGEST_SLEEP_NANOS));
            } else {
                member.step();
                long leads = member.leads();
                if (leads >= 0 && leads != registered) {
                    registered = leads;
                    registrar.add(activity(member.clique()));
                }
            }
        }
    }

    private Attributes activity(Clique clique) {
        Map<String, String> all = new LinkedHashMap<>(Attributes.of(
                        "name", clique.name(),
                        "objectclass", "nwsActivity",
                        "controlName", "clique",
                        "host", name,
                        "option", "period,member,size,buffer,message",
                        "resource", "bandwidthTcp,latencyTcp,connectTimeTcp",
                        "skillName", "tcpMessageMonitor")
                .values());
        all.putAll(Attributes.read(clique.options()).values());
        return new Attributes(all);
    }

    private Message granted(Attributes asked) {
        Clique clique = Clique.read(asked);
        int candidate = (int) asked.whole("candidate", 0, clique.members().size() - 1);
        long lastsNanos = asked.whole("lasts", 1, clique.period().toMillis()) * 1_000_000;
        long round = asked.whole("round", 0, Long.MAX_VALUE);
        long wait = take(clique, false);
        if (wait == 0) {
            CliqueMember member = member(clique.name());
            wait = member == null
                    ? lastsNanos
                    : member.ask(candidate, round, asked.get("first").equals("1"), lastsNanos);
        }
        return wait == 0
                ? Message.of(Message.CLIQUE_GRANTED)
                : Message.of(Message.CLIQUE_REFUSED, "wait:" + (wait / 1_000_000 + 1) + "\t\t");
    }

    private static BitSet members(String text, int n) {
        BitSet all = new BitSet(n);
        for (String each : text.split(",")) {
            all.set((int) Attributes.of("member", each).whole("member", 0, n - 1));
        }
        return all;
    }

    private Message offered(Attributes which, Link link) throws IOException {
        CliqueMember member = member(which.name());
        if (member == null || member.clique().generation() != Clique.generation(which)) {
            return Message.of(Message.CLIQUE_REFUSED);
        }
        long ready = clock.nanoTime();
        link.send(Message.of(Message.CLIQUE_READY), Host.PATIENCE);
        Message request = link.receive(Host.PATIENCE, Attributes.MAX_CHARS);
        if (request.type() != Message.CLIQUE_TOKEN) {
            throw new IllegalArgumentException("expected a token, got message " + request.type());
        }
        Attributes token = Attributes.read(request.text());
        int n = member.clique().members().size();
        boolean taken = member.take(
                (int) token.whole("leader", 0, n - 1),
                token.whole("round", 0, Long.MAX_VALUE),
                members(token.get("live"), n),
                members(token.get("visited"), n),
                ready,
                token.whole("left", 1, member.clique().period().toNanos() / 1000) * 1000);
        if (taken) {
            wake(which.name());
        }
        return Message.of(taken ? Message.CLIQUE_DONE : Message.CLIQUE_REFUSED);
    }

    private synchronized void wake(String clique) {
        LockSupport.unpark(threads.get(clique));
    }

    private boolean stopped(String clique) {
        CliqueMember member = member(clique);
        if (member == null) {
            return false;
        }
        stop(clique, member.clique().generation());
        String text = "name:" + clique + "\tgeneration:" + member.clique().generation() + "\t\t";
        for (int i = 0; i < member.clique().members().size(); i++) {
            InetSocketAddress other = member.clique().member(i);
            if (!names.contains(member.clique().members().get(i))) {
                Host.start("diperf-nws-stop", () -> {
                    try {
                        Link.ask(other, Message.of(Message.CLIQUE_STOP, text), Host.PATIENCE);
                    } catch (IOException e) {
                        // It hears of it when it asks for a round: most members promise none any more.
                    }
                });
            }
        }
        return true;
    }

    private synchronized void stop(String clique, double generation) {
        CliqueMember member = cliques.get(clique);
        if (member != null && member.clique().generation() <= generation) {
            member.stop();
            registrar.remove(clique);
        }
    }

    /** Lists the cliques that it is part of. */
    synchronized List<Clique> cliques() {
        return cliques.values().stream()
                .filter(each -> !each.isStopped())
                .map(CliqueMember::clique)
                .toList();
    }

    @Override
    public void close() {
        closed = true;
    }
}
