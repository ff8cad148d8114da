package org.diperf.controller.page;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.diperf.core.spi.SeriesFamily;
import org.diperf.core.spi.SeriesFamily.Histogram;
import org.diperf.core.spi.SeriesFamily.Sample;

/**
 * Writes series in Prometheus' protobuf format, the only one that carries native histograms: messages {@code
 * io.prometheus.client.MetricFamily} (metrics.proto of prometheus/client_model), each after its length. Histograms have fixed and
 * native buckets; who asks for this format takes the native ones.
 */
final class MetricsProtobuf {

    static final String TYPE =
            "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited";

    private static final int LONGEST_VALUE = 200;
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    /** Values up to this, in seconds, would be in the bucket of zeros; there are none. That of Prometheus' own clients. */
    private static final double ZERO_THRESHOLD = 0x1p-128;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 12);

    private MetricsProtobuf() {}

    /** Returns whether somebody asks for this format. */
    static boolean isWanted(String accept) {
        return accept.contains("application/vnd.google.protobuf")
                && accept.contains("io.prometheus.client.MetricFamily");
    }

    static byte[] of(List<SeriesFamily> families) {
        MetricsProtobuf all = new MetricsProtobuf();
        for (SeriesFamily family : families) {
            // A family without series is none in this format.
            if (!family.samples().isEmpty()) {
                byte[] message = family(family);
                all.varint(message.length);
                all.out.writeBytes(message);
            }
        }
        return all.out.toByteArray();
    }

    private static byte[] family(SeriesFamily family) {
        MetricsProtobuf message = new MetricsProtobuf();
        message.text(1, family.name());
        message.text(2, family.help());
        message.number(
                3,
                switch (family.kind()) {
                    case COUNTER -> 0;
                    case GAUGE -> 1;
                    case HISTOGRAM -> 4;
                });
        for (Sample sample : family.samples()) {
            message.message(4, metric(family, sample));
        }
        return message.out.toByteArray();
    }

    private static MetricsProtobuf metric(SeriesFamily family, Sample sample) {
        MetricsProtobuf metric = new MetricsProtobuf();
        sample.labels().forEach((name, value) -> {
            MetricsProtobuf label = new MetricsProtobuf();
            label.text(1, name);
            label.text(2, value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) : value);
            metric.message(1, label);
        });
        Histogram histogram = sample.histogram();
        if (histogram != null) {
            metric.message(7, histogram(histogram, sample.value()));
        } else {
            MetricsProtobuf value = new MetricsProtobuf();
            value.decimal(1, sample.value());
            metric.message(family.kind() == SeriesFamily.Kind.COUNTER ? 3 : 2, value);
        }
        return metric;
    }

    private static MetricsProtobuf histogram(Histogram histogram, double sum) {
        MetricsProtobuf message = new MetricsProtobuf();
        message.number(1, histogram.count());
        message.decimal(2, sum);
        long below = 0;
        for (int i = 0; i < histogram.counts().size(); i++) {
            below += histogram.counts().get(i);
            MetricsProtobuf bucket = new MetricsProtobuf();
            bucket.number(1, below);
            bucket.decimal(2, i < histogram.limits().size() ? histogram.limits().get(i) : Double.POSITIVE_INFINITY);
            message.message(3, bucket);
        }
        message.number(5, zigzag(Histogram.SCALE));
        message.decimal(6, ZERO_THRESHOLD);
        message.number(7, 0);
        nativeBuckets(histogram, message);
        return message;
    }

    /** Writes the buckets that are not empty: where they lie, and by how much each differs from the one before. */
    private static void nativeBuckets(Histogram histogram, MetricsProtobuf into) {
        MetricsProtobuf deltas = new MetricsProtobuf();
        List<Long> fine = histogram.fine();
        long before = 0;
        int at = 0;
        // Theirs has the number of its upper limit.
        int behind = -histogram.firstFine() - 1;
        while (at < fine.size()) {
            if (fine.get(at) == 0) {
                at++;
                continue;
            }
            int from = at;
            while (at < fine.size() && fine.get(at) != 0) {
                deltas.varint(zigzag(fine.get(at) - before));
                before = fine.get(at);
                at++;
            }
            MetricsProtobuf span = new MetricsProtobuf();
            span.number(1, zigzag(from - behind));
            span.number(2, at - from);
            into.message(12, span);
            behind = at;
        }
        into.message(13, deltas);
    }

    private static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    private void tag(int field, int type) {
        varint((long) field << 3 | type);
    }

    private void number(int field, long value) {
        tag(field, VARINT);
        varint(value);
    }

    private void decimal(int field, double value) {
        tag(field, FIXED64);
        long bits = Double.doubleToLongBits(value);
        for (int i = 0; i < Long.BYTES; i++) {
            out.write((int) (bits >>> 8 * i));
        }
    }

    private void text(int field, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        tag(field, BYTES);
        varint(bytes.length);
        out.writeBytes(bytes);
    }

    private void message(int field, MetricsProtobuf message) {
        tag(field, BYTES);
        varint(message.out.size());
        out.writeBytes(message.out.toByteArray());
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
