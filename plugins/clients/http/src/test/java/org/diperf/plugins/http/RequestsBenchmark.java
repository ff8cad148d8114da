package org.diperf.plugins.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to have the bytes of a request. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RequestsBenchmark {

    private final RequestWriter constant = requests("/index.html");
    private final RequestWriter varying = requests("/items/${random:1..999}");
    private final Counted call = new Counted();

    private static RequestWriter requests(String path) {
        Parameters with = Parameters.read(new HttpPlugin().parameters(), Map.of("path", path), 42);
        try {
            List<HttpTarget> targets = List.of(HttpTarget.of(Url.of("http://127.0.0.1:8080/")));
            return new RequestWriter(with, targets, RequestBody.of(with));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Counted implements Call {

        private long number;

        @Override
        public long number() {
            return number;
        }

        @Override
        public int client() {
            return 7;
        }

        @Override
        public Url target() {
            return Url.of("http://127.0.0.1:8080/");
        }

        @Override
        public int targetIndex() {
            return 0;
        }

        @Override
        public long ticket() {
            return number;
        }

        @Override
        public void bytes(long count) {}

        @Override
        public void firstOnConnection() {}

        @Override
        public void metric(Metric metric, double value) {}

        @Override
        public long event(int kind, int count) {
            return 0;
        }

        @Override
        public void ok(long ticket) {}

        @Override
        public void fail(long ticket, Failure failure) {}
    }

    /** Time a request that is the same for every call; allocates nothing. */
    @Benchmark
    public byte[] ofConstant() {
        return constant.of(call).bytes();
    }

    /** Time a request with a placeholder in its path, which is written anew for every call. */
    @Benchmark
    public byte[] ofVarying() {
        call.number++;
        return varying.of(call).bytes();
    }
}
