package org.diperf.plugins.otlp;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.SeriesFamily;
import org.diperf.core.spi.SeriesFamily.Histogram;
import org.diperf.core.spi.SeriesFamily.Sample;
import org.diperf.core.spi.SeriesOutput;

/**
 * Sends the series of one run. Names follow OpenTelemetry: without Prometheus' suffixes, with a unit of their own, so that a collector
 * that hands them to Prometheus makes the names of the scraped series again. Counts are cumulative from the start of the run. Confined
 * to one thread.
 */
final class OtlpOutput implements SeriesOutput {

    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration WHOLE = Duration.ofSeconds(5);
    private static final long SECOND = 1_000_000_000L;
    private static final String SECONDS = "_seconds";
    private static final String TOTAL = "_total";
    private static final String RATIO = "_ratio";

    private final Duration whole;
    private final URI endpoint;
    private final long startNanos;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    OtlpOutput(URI endpoint, Instant startedAt) {
        this(endpoint, startedAt, WHOLE);
    }

    /** @param whole time for a request and its response, to its end */
    OtlpOutput(URI endpoint, Instant startedAt, Duration whole) {
        this.whole = whole;
        this.endpoint = endpoint;
        this.startNanos = nanos(startedAt);
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * SECOND + at.getNano();
    }

    @Override
    public void send(List<SeriesFamily> families, Instant at) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(endpoint)
                .header("Content-Type", "application/x-protobuf")
                .POST(HttpRequest.BodyPublishers.ofByteArray(
                        message(families, nanos(at)).toByteArray()))
                .build();
        // The request's own timeout ends with the response's head.
        CompletableFuture<HttpResponse<Void>> exchange =
                client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            HttpResponse<Void> response = exchange.get(whole.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() / 100 != 2) {
                throw new IOException("status " + response.statusCode());
            }
        } catch (ExecutionException e) {
            boolean refused = e.getCause() instanceof ConnectException;
            throw new IOException(refused ? "connection refused" : Failure.of(e).kind(), e);
        } catch (TimeoutException e) {
            throw new IOException("no complete response within " + whole.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            exchange.cancel(true);
        }
    }

    /** Makes the message of one export. */
    ExportMetricsServiceRequest message(List<SeriesFamily> families, long atNanos) {
        ScopeMetrics.Builder scope = ScopeMetrics.newBuilder()
                .setScope(InstrumentationScope.newBuilder().setName("org.diperf"));
        families.stream()
                .filter(family -> !family.samples().isEmpty())
                .forEach(family -> scope.addMetrics(metric(family, atNanos)));
        return ExportMetricsServiceRequest.newBuilder()
                .addResourceMetrics(ResourceMetrics.newBuilder()
                        .setResource(Resource.newBuilder().addAttributes(attribute("service.name", "diperf")))
                        .addScopeMetrics(scope))
                .build();
    }

    private Metric metric(SeriesFamily family, long atNanos) {
        Metric.Builder metric = Metric.newBuilder()
                .setName(name(family.name()))
                .setUnit(unit(family.name()))
                .setDescription(family.help());
        for (Sample sample : family.samples()) {
            Histogram histogram = sample.histogram();
            if (histogram != null) {
                metric.getExponentialHistogramBuilder()
                        .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
                        .addDataPoints(point(sample, histogram, atNanos));
            } else if (family.kind() == SeriesFamily.Kind.COUNTER) {
                metric.getSumBuilder()
                        .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
                        .setIsMonotonic(true)
                        .addDataPoints(number(sample, atNanos).setStartTimeUnixNano(startNanos));
            } else {
                metric.getGaugeBuilder().addDataPoints(number(sample, atNanos));
            }
        }
        return metric.build();
    }

    private static NumberDataPoint.Builder number(Sample sample, long atNanos) {
        NumberDataPoint.Builder point =
                NumberDataPoint.newBuilder().setTimeUnixNano(atNanos).setAsDouble(sample.value());
        sample.labels().forEach((name, value) -> point.addAttributes(attribute(name, value)));
        return point;
    }

    /** Leaves out empty buckets at both ends. */
    private ExponentialHistogramDataPoint point(Sample sample, Histogram histogram, long atNanos) {
        ExponentialHistogramDataPoint.Builder point = ExponentialHistogramDataPoint.newBuilder()
                .setStartTimeUnixNano(startNanos)
                .setTimeUnixNano(atNanos)
                .setCount(histogram.count())
                .setSum(sample.value())
                .setScale(Histogram.SCALE);
        sample.labels().forEach((name, value) -> point.addAttributes(attribute(name, value)));
        List<Long> fine = histogram.fine();
        int first = 0;
        int last = fine.size();
        while (first < last && fine.get(first) == 0) {
            first++;
        }
        while (last > first && fine.get(last - 1) == 0) {
            last--;
        }
        point.getPositiveBuilder()
                .setOffset(histogram.firstFine() + first)
                .addAllBucketCounts(fine.subList(first, last));
        return point.build();
    }

    private static KeyValue attribute(String name, String value) {
        return KeyValue.newBuilder()
                .setKey(name)
                .setValue(AnyValue.newBuilder().setStringValue(value))
                .build();
    }

    private static String name(String prometheus) {
        String name = prometheus;
        for (String suffix : List.of(TOTAL, SECONDS, RATIO)) {
            if (name.endsWith(suffix)) {
                name = name.substring(0, name.length() - suffix.length());
            }
        }
        return name.replaceFirst("_", ".");
    }

    private static String unit(String prometheus) {
        return prometheus.endsWith(SECONDS) ? "s" : prometheus.endsWith(RATIO) ? "1" : "";
    }

    @Override
    public void close() {
        // The client has nothing that must be closed, and its threads are daemons.
    }
}
