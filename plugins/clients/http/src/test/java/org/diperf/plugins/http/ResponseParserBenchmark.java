package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Memory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to read a response whose bytes are there. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ResponseParserBenchmark {

    /** As nginx answers {@code return 200}. */
    private static final String SIZED =
            "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Sat, 21 Nov 2026 06:21:00 GMT\r\n"
                    + "Content-Type: text/plain\r\nContent-Length: 6\r\nConnection: keep-alive\r\n\r\nhello\n";

    private static final String CHUNKED =
            "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Sat, 21 Nov 2026 06:21:00 GMT\r\n"
                    + "Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n6\r\nhello\n\r\n0\r\n\r\n";

    private final ByteBuf sized = Unpooled.directBuffer();
    private final ByteBuf chunked = Unpooled.directBuffer();
    private final ResponseParser parser = new ResponseParser(new HeaderCache(), false, new Memory(1 << 20));

    @Setup
    public void fill() {
        sized.writeCharSequence(SIZED, StandardCharsets.US_ASCII);
        chunked.writeCharSequence(CHUNKED, StandardCharsets.US_ASCII);
    }

    /** Time a response with a length; allocates nothing. */
    @Benchmark
    public long sized() {
        return read(sized);
    }

    /** Time a response in one chunk; allocates nothing. */
    @Benchmark
    public long chunked() {
        return read(chunked);
    }

    private long read(ByteBuf response) {
        parser.reset(ResponseParser.Request.ORDINARY);
        if (!parser.read(response.readerIndex(0)) || parser.status() != 200) {
            throw new IllegalStateException("not read: " + parser.fault());
        }
        return parser.bodyBytes();
    }
}
