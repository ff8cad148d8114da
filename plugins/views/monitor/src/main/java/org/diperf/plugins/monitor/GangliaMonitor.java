package org.diperf.plugins.monitor;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Readings;
import org.diperf.plugins.lib.proc.BoundedInput;
import org.jspecify.annotations.Nullable;

/**
 * Asks a gmond for its XML. A value holds at the time at which its host measured it, {@code TN} seconds ago; one that was seen
 * before is not taken again. Units are Ganglia's own, but for {@code cpu} and {@code memory}, which are made of them.
 */
final class GangliaMonitor implements Monitor {

    private static final long MAX_BYTES = 64L << 20;
    private static final long SECOND = 1_000_000_000L;

    private final String host;
    private final int port;
    private final @Nullable String of;
    private final Duration limit;
    private final Map<String, Long> taken = new LinkedHashMap<>();

    /** A metric as gmond tells it. */
    private record Value(double value, String unit, long ageSeconds, long everySeconds) {}

    /** @param limit for the connection, and for what comes on it */
    GangliaMonitor(String host, int port, @Nullable String of, Duration limit) {
        this.host = host;
        this.port = port;
        this.of = of;
        this.limit = limit;
    }

    @Override
    public void sample(Readings to) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), (int) limit.toMillis());
            long at = to.nanoTime();
            try (InputStream in = new TimeLimitedInput(socket.getInputStream(), limit, host + ":" + port)) {
                take(read(in), to, at);
            }
        } catch (XMLStreamException e) {
            throw new IOException("expected Ganglia's XML from " + host + ":" + port + ", got: " + e.getMessage(), e);
        } catch (UnknownHostException e) {
            throw new IOException("expected gmond at " + host + ":" + port + ", got: no host with this name", e);
        } catch (IOException e) {
            throw new IOException("expected gmond at " + host + ":" + port + ", got: " + e.getMessage(), e);
        }
    }

    private Map<String, Value> read(InputStream in) throws XMLStreamException, IOException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        // gmond's DTD is within its answer; nothing else is ever loaded.
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader xml = factory.createXMLStreamReader(new BoundedInput(in, MAX_BYTES, host));
        Map<String, Value> values = new LinkedHashMap<>();
        Set<String> hosts = new LinkedHashSet<>();
        boolean inside = false;
        while (xml.hasNext()) {
            if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            if (xml.getLocalName().equals("HOST")) {
                String name = attribute(xml, "NAME");
                hosts.add(name);
                inside = of == null || of.equals(name) || of.equals(attribute(xml, "IP"));
            } else if (inside && xml.getLocalName().equals("METRIC")) {
                metric(xml, values);
            }
        }
        if (of == null && hosts.size() > 1) {
            throw new IOException("expected one host, got " + hosts + "; select one with 'of'");
        }
        if (values.isEmpty()) {
            throw new IOException("expected metrics" + (of == null ? "" : " of host '" + of + "'") + ", got "
                    + (hosts.isEmpty() ? "no host" : "none of the hosts " + hosts)
                    + "; check that gmond's modules are loaded, and wait a minute after it starts");
        }
        return values;
    }

    private static void metric(XMLStreamReader xml, Map<String, Value> to) {
        try {
            to.put(
                    attribute(xml, "NAME"),
                    new Value(
                            Double.parseDouble(attribute(xml, "VAL")),
                            attribute(xml, "UNITS").strip(),
                            Long.parseLong(attribute(xml, "TN")),
                            Math.max(1, Long.parseLong(attribute(xml, "TMAX")))));
        } catch (NumberFormatException e) {
            // A word, such as the name of the operating system.
        }
    }

    private static String attribute(XMLStreamReader xml, String name) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    private void take(Map<String, Value> values, Readings to, long now) {
        values.forEach((name, value) -> take(name, value.unit(), value.value(), value, to, now));
        Value idle = values.get("cpu_idle");
        Value cores = values.get("cpu_num");
        if (idle != null && cores != null) {
            take("cpu", "cores", (100 - idle.value()) / 100 * cores.value(), idle, to, now);
            to.gauge("cores", "count", cores.value(), now);
        }
        Value total = values.get("mem_total");
        Value free = values.get("mem_free");
        if (total != null && free != null) {
            double used = total.value() - free.value() - or(values.get("mem_cached")) - or(values.get("mem_buffers"));
            take("memory", "bytes", used * 1024, free, to, now);
        }
    }

    private static double or(@Nullable Value value) {
        return value == null ? 0 : value.value();
    }

    /** Ages are whole seconds, so a value that moves by less than two is the one that was seen before. */
    private void take(String metric, String unit, double value, Value age, Readings to, long now) {
        long at = now - age.ageSeconds() * SECOND;
        Long before = taken.get(metric);
        boolean fresh = before == null || at - before >= 2 * SECOND || at > before && age.ageSeconds() == 0;
        if (fresh && age.ageSeconds() <= 4 * age.everySeconds()) {
            taken.put(metric, at);
            to.gauge(metric, unit.isEmpty() ? "count" : unit, value, at);
        }
    }
}
