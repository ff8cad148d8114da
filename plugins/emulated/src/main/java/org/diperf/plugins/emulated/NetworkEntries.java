package org.diperf.plugins.emulated;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.schema.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.diperf.core.clock.WallClock;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.information.Entries;
import org.diperf.plugins.emulated.limits.Limits;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * The network as entries of a directory: hosts and routers as they are declared, and links with their state, which {@link #sample}
 * renews. Names are those of MDS 2 where it has them; the others begin with {@code Mds-Emulated-}. Thread-safe; one thread samples.
 */
final class NetworkEntries implements Entries {

    private static final String TOP = "o=grid";
    private static final String ALL = "Mds-Vo-name=local,o=grid";
    private static final String OWN = "Mds-Emulated-";
    private static final double BITS = 8;
    private static final double NANOS = 1e9;
    private static final int MICROS = 1_000;
    private static final long MEGA = 1 << 20;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final List<String> NUMBERS = List.of(
            "Mds-Cpu-Total-count",
            "Mds-Memory-Ram-Total-sizeMB",
            OWN + "disk-bytesPerSecond",
            OWN + "bitsPerSecond",
            OWN + "latencyMicros",
            OWN + "jitterMicros",
            OWN + "queueLimit",
            OWN + "usePercent",
            OWN + "sentBitsPerSecond",
            OWN + "packets",
            OWN + "bytes",
            OWN + "lost",
            OWN + "overflowed",
            OWN + "queuedPackets");

    private static final Schema SCHEMA = schemaOf(NUMBERS);

    private final NetworkDeclaration declared;
    private final LinkStates states;
    private final Optional<CarrierStatistics> engine;
    private final WallClock wallClock;
    private final List<Entry> fixed = new ArrayList<>();
    private EngineReport before;
    private EngineReport last;
    private volatile List<Entry> now = List.of();

    /** @param engine empty: nothing is known of it, and entries of links have what is declared alone */
    NetworkEntries(
            NetworkDeclaration declared, LinkStates states, Optional<CarrierStatistics> engine, WallClock wallClock) {
        this.declared = declared;
        this.states = states;
        this.engine = engine;
        this.wallClock = wallClock;
        this.before = new EngineReport(states.now().size());
        this.last = before;
        fixed.add(new Entry(TOP, new Attribute("objectClass", "top", "organization"), new Attribute("o", "grid")));
        fixed.add(new Entry(ALL, new Attribute("objectClass", "top", "MdsVo"), new Attribute("Mds-Vo-name", "local")));
        declared.topology().hosts().forEach(host -> fixed.add(host(host)));
        declared.topology().routers().forEach(router -> fixed.add(router(router)));
        sample();
    }

    private static Schema schemaOf(List<String> numbers) {
        List<String> types = new ArrayList<>();
        for (String name : numbers) {
            types.add("( " + name.toLowerCase(Locale.ROOT) + "-oid NAME '" + name
                    + "' EQUALITY integerMatch ORDERING integerOrderingMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )");
        }
        return new Schema(new Entry(
                "cn=schema", new Attribute("objectClass", "top", "subschema"), new Attribute("attributeTypes", types)));
    }

    private Entry host(EmulatedHost host) {
        Limits limits = declared.limits().getOrDefault(host.name(), Limits.NONE);
        Entry entry = new Entry(
                "Mds-Host-hn=" + host.name() + "," + ALL,
                new Attribute("objectClass", "top", "MdsHost"),
                new Attribute("Mds-Host-hn", host.name()),
                new Attribute("Mds-Net-addr", Address.format(host.address())),
                new Attribute(OWN + "virtual", "TRUE"));
        if (!host.site().isEmpty()) {
            entry.addAttribute(OWN + "site", host.site());
        }
        if (limits.processors() > 0) {
            entry.addAttribute("Mds-Cpu-Total-count", Long.toString((long) Math.ceil(limits.processors())));
            entry.addAttribute(
                    OWN + "processors",
                    new BigDecimal(Double.toString(limits.processors()))
                            .stripTrailingZeros()
                            .toPlainString());
        } else {
            entry.addAttribute(
                    "Mds-Cpu-Total-count", Integer.toString(Runtime.getRuntime().availableProcessors()));
        }
        if (limits.memoryBytes() > 0) {
            entry.addAttribute("Mds-Memory-Ram-Total-sizeMB", Long.toString(limits.memoryBytes() / MEGA));
        }
        if (limits.diskBytesPerSecond() > 0) {
            entry.addAttribute(OWN + "disk-bytesPerSecond", Long.toString(limits.diskBytesPerSecond()));
        }
        return entry;
    }

    private static Entry router(String name) {
        return new Entry(
                OWN + "router-name=" + name + "," + ALL,
                new Attribute("objectClass", "top", "MdsEmulatedRouter"),
                new Attribute(OWN + "router-name", name));
    }

    /** Renews what is said of links. */
    synchronized void sample() {
        engine.map(CarrierStatistics::last)
                .filter(report -> report.engine(EngineReport.AT_NANOS) > last.engine(EngineReport.AT_NANOS))
                .ifPresent(report -> {
                    before = last;
                    last = report;
                });
        changed();
    }

    /** Renews whether links are up and what they are, with the state of before. */
    synchronized void changed() {
        List<Entry> all = new ArrayList<>(fixed);
        List<LinkStates.State> links = states.now();
        String at = TIME.format(Instant.ofEpochMilli((long) (wallClock.unixSeconds() * 1_000)));
        for (int i = 0; i < links.size(); i++) {
            all.add(link(i, links.get(i), at));
        }
        now = List.copyOf(all);
    }

    private Entry link(int number, LinkStates.State state, String at) {
        Topology.Pipe pipe = state.pipe();
        Direction direction = state.direction();
        Entry entry = new Entry(
                "Mds-Net-name=" + pipe.name() + "," + ALL,
                new Attribute("objectClass", "top", "MdsNet", "MdsEmulatedLink"),
                new Attribute("Mds-Net-name", pipe.name()),
                new Attribute(OWN + "link", pipe.link().name()),
                new Attribute(
                        OWN + "from",
                        pipe.isBack() ? pipe.link().to() : pipe.link().from()),
                new Attribute(
                        OWN + "to",
                        pipe.isBack() ? pipe.link().from() : pipe.link().to()),
                new Attribute(OWN + "up", state.isUp() ? "TRUE" : "FALSE"),
                new Attribute(OWN + "latencyMicros", Long.toString(direction.latencyNanos() / MICROS)),
                new Attribute(OWN + "jitterMicros", Long.toString(direction.jitterNanos() / MICROS)),
                new Attribute(
                        OWN + "lossRate",
                        BigDecimal.valueOf(direction.loss().rate())
                                .stripTrailingZeros()
                                .toPlainString()),
                new Attribute("Mds-validfrom", at));
        if (direction.bitsPerSecond() > 0) {
            entry.addAttribute(OWN + "bitsPerSecond", Long.toString(Math.round(direction.bitsPerSecond())));
            entry.addAttribute(
                    OWN + "queueLimit", Long.toString(direction.queue().limit()));
            entry.addAttribute(OWN + "queueUnit", direction.queue().inBytes() ? "bytes" : "packets");
        }
        if (last.engine(EngineReport.AT_NANOS) > 0) {
            addState(number, direction, entry);
        }
        return entry;
    }

    private void addState(int number, Direction direction, Entry entry) {
        long nanos = last.engine(EngineReport.AT_NANOS) - before.engine(EngineReport.AT_NANOS);
        // The first report has nothing before it.
        if (before.engine(EngineReport.AT_NANOS) > 0) {
            double seconds = nanos / NANOS;
            long sent = Math.round(BITS * since(number, EngineReport.BYTES) / seconds);
            entry.addAttribute(OWN + "sentBitsPerSecond", Long.toString(sent));
            if (direction.bitsPerSecond() > 0) {
                long percent = Math.round(100.0 * since(number, EngineReport.BUSY_NANOS) / nanos);
                entry.addAttribute(OWN + "usePercent", Long.toString(percent));
            }
        }
        entry.addAttribute(OWN + "packets", Long.toString(last.pipe(number, EngineReport.PACKETS)));
        entry.addAttribute(OWN + "bytes", Long.toString(last.pipe(number, EngineReport.BYTES)));
        entry.addAttribute(
                OWN + "lost",
                Long.toString(last.pipe(number, EngineReport.LOST) + last.pipe(number, EngineReport.CUT)));
        entry.addAttribute(OWN + "overflowed", Long.toString(last.pipe(number, EngineReport.OVERFLOWED)));
        entry.addAttribute(OWN + "queuedPackets", Long.toString(last.pipe(number, EngineReport.QUEUED)));
    }

    private long since(int number, int what) {
        return last.pipe(number, what) - before.pipe(number, what);
    }

    @Override
    public List<Entry> now() {
        return now;
    }

    @Override
    public Schema schema() {
        return SCHEMA;
    }
}
