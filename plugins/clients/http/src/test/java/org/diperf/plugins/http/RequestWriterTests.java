package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes of requests. */
@Timeout(20)
class RequestWriterTests {

    private static final Url TARGET = Url.of("http://127.0.0.1:8080/");

    /** A call of a client that has captured some values. */
    private static final class WithValues implements Call {
        private final Map<String, String> values = new HashMap<>();
        private String trace = "";

        @Override
        public String traceparent() {
            return trace;
        }

        @Override
        public long number() {
            return 0;
        }

        @Override
        public int client() {
            return 0;
        }

        @Override
        public Url target() {
            return TARGET;
        }

        @Override
        public int targetIndex() {
            return 0;
        }

        @Override
        public long ticket() {
            return 1;
        }

        @Override
        public String value(String name) {
            return values.getOrDefault(name, "");
        }

        @Override
        public boolean hasValue(String name) {
            return values.containsKey(name);
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

    @Test
    void aHeaderIsLeftOutUntilWhatItNamesHasBeenCaptured() throws IOException {
        Names names = new Names() {
            @Override
            public Set<String> values() {
                return Set.of("token", "sid", "users.lang");
            }

            @Override
            public String secret(String reference) {
                throw new IllegalArgumentException(reference);
            }
        };
        Parameters with = Parameters.read(
                new HttpPlugin().parameters(),
                Map.of(
                        "headers",
                        Map.of(
                                "Authorization",
                                "Bearer ${token}",
                                "Cookie",
                                "sid=${sid}",
                                "Accept-Language",
                                "${users.lang}",
                                "X-Fixed",
                                "yes")),
                42,
                names);
        RequestWriter requests = new RequestWriter(with, List.of(HttpTarget.of(TARGET)), RequestBody.of(with));
        WithValues call = new WithValues();
        call.values.put("users.lang", "");
        assertThat(text(requests, call))
                .doesNotContain("Authorization")
                .doesNotContain("Cookie")
                .contains("\r\nAccept-Language: \r\n")
                .contains("\r\nX-Fixed: yes\r\n");
        call.values.put("token", "abc");
        call.values.put("sid", "42");
        assertThat(text(requests, call)).contains("\r\nAuthorization: Bearer abc\r\n", "\r\nCookie: sid=42\r\n");
    }

    @Test
    void aTraceStandsBehindTheOtherFieldsUnlessTheFileHasOneOfItsOwn() {
        WithValues call = new WithValues();
        call.trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        for (Map<String, Object> with : List.<Map<String, Object>>of(
                Map.of("method", "POST", "body", "x"), Map.of("method", "POST", "body", "${client}"))) {
            RequestWriter requests = requests(with);
            String plain = text(requests, new WithValues());
            assertThat(plain).endsWith("\r\n\r\n" + (with.get("body").equals("x") ? "x" : "0"));
            String end = plain.substring(plain.indexOf("\r\n\r\n"));
            assertThat(text(requests, call)).isEqualTo(plain.replace(end, "\r\ntraceparent: " + call.trace + end));
            assertThat(requests.of(call).bodyBytes()).isEqualTo(1);
        }
        assertThat(text(requests(Map.of("headers", Map.of("Traceparent", "mine"))), call))
                .contains("Traceparent: mine\r\n")
                .doesNotContain(call.trace);
    }

    private static RequestWriter requests(Map<String, Object> with) {
        try {
            Parameters read = Parameters.read(new HttpPlugin().parameters(), with, 42);
            return new RequestWriter(read, List.of(HttpTarget.of(TARGET)), RequestBody.of(read));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(RequestWriter requests, Call call) {
        return new String(requests.of(call).bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void anAnswerTellsAllItsCookies() {
        BufferedResponse answer = ProxiesTests.read(
                ("HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nset-cookie: sid=42; HttpOnly\r\n"
                                + "Content-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII),
                1_000);
        assertThat(answer.headers("Set-Cookie")).containsExactly("a=1; Path=/", "sid=42; HttpOnly");
        assertThat(answer.header("Set-Cookie")).isEqualTo("a=1; Path=/");
        assertThat(answer.headers("Location")).isEmpty();
    }
}
