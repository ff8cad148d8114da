package org.diperf.plugins.monitor;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.jspecify.annotations.Nullable;

/** The monitor {@code prometheus}. */
public final class PrometheusPlugin implements MonitorPlugin {

    @Override
    public String id() {
        return "prometheus";
    }

    @Override
    public String summary() {
        return "metrics that a service or an exporter publishes in Prometheus' text format; counters become rates";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required("url", Type.STRING, "http(s) URL of the metrics, such as http://host:9100/metrics"),
                Parameter.withDefault(
                        "select",
                        Type.TEXTS,
                        "process_*",
                        "metrics to record: NAME or NAME{label=\"value\"}; * matches any characters; values are "
                                + "summed over all other labels"));
    }

    @Override
    public void check(Parameters with) {
        String url = with.string("url");
        if (!url.matches("https?://[^/\\s]+\\S*")) {
            throw new Parameters.Unusable("url", "expected an http or https address, got '" + url + "'");
        }
        if (host(url) == null) {
            throw new Parameters.Unusable(
                    "url", "expected a host of letters, digits, dots and hyphens, or an address, in '" + url + "'");
        }
        try {
            selectors(with);
        } catch (IllegalArgumentException e) {
            throw new Parameters.Unusable("select", String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable String host(String url) {
        try {
            return URI.create(url).getHost();
        } catch (IllegalArgumentException e) {
            throw new Parameters.Unusable("url", "expected a URL, got " + e.getMessage());
        }
    }

    private static List<PrometheusSelector> selectors(Parameters with) {
        List<PrometheusSelector> selectors = new ArrayList<>();
        with.texts("select").forEach(text -> selectors.add(PrometheusSelector.parse(text.toString())));
        return selectors;
    }

    @Override
    public Monitor open(MonitorContext context) {
        return new PrometheusMonitor(
                URI.create(context.with().string("url")), selectors(context.with()), TimeLimitedInput.LIMIT);
    }
}
