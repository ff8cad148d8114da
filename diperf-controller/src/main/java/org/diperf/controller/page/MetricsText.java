package org.diperf.controller.page;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.spi.SeriesFamily;
import org.diperf.core.spi.SeriesFamily.Histogram;
import org.diperf.core.spi.SeriesFamily.Sample;
import org.jspecify.annotations.Nullable;

/**
 * Writes series in Prometheus' text format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */
final class MetricsText {

    static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final int LONGEST_VALUE = 200;

    private final StringBuilder out = new StringBuilder(1 << 14);

    private MetricsText() {}

    static String of(List<SeriesFamily> families) {
        MetricsText text = new MetricsText();
        families.forEach(text::family);
        return text.out.toString();
    }

    private void family(SeriesFamily family) {
        String name = family.name();
        out.append("# HELP ").append(name).append(' ').append(family.help()).append('\n');
        out.append("# TYPE ").append(name).append(' ');
        out.append(family.kind().name().toLowerCase(Locale.ROOT)).append('\n');
        for (Sample sample : family.samples()) {
            Histogram histogram = sample.histogram();
            if (histogram == null) {
                line(name, sample.labels(), null, sample.value());
            } else {
                buckets(name, sample, histogram);
            }
        }
    }

    private void buckets(String name, Sample sample, Histogram histogram) {
        long sum = 0;
        for (int i = 0; i < histogram.counts().size(); i++) {
            sum += histogram.counts().get(i);
            boolean last = i == histogram.limits().size();
            String limit = last ? "+Inf" : String.valueOf(histogram.limits().get(i));
            line(name + "_bucket", sample.labels(), limit, sum);
        }
        line(name + "_sum", sample.labels(), null, sample.value());
        line(name + "_count", sample.labels(), null, sum);
    }

    /** @param limit of a bucket; {@code null}: it is none */
    private void line(String name, Map<String, String> labels, @Nullable String limit, double value) {
        out.append(name);
        boolean[] any = {false};
        labels.forEach((label, of) -> label(label, of, any));
        if (limit != null) {
            label("le", limit, any);
        }
        out.append(any[0] ? "} " : " ").append(number(value)).append('\n');
    }

    private void label(String name, String value, boolean[] any) {
        out.append(any[0] ? ',' : '{').append(name).append("=\"");
        any[0] = true;
        value.codePoints().limit(LONGEST_VALUE).forEach(c -> {
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '"' -> out.append("\\\"");
                case '\n' -> out.append("\\n");
                default -> out.appendCodePoint(c);
            }
        });
        out.append('"');
    }

    private static String number(double value) {
        return Double.isNaN(value)
                ? "NaN"
                : value == Math.rint(value) && Math.abs(value) < 1e15
                        ? String.valueOf((long) value)
                        : String.valueOf(value);
    }
}
