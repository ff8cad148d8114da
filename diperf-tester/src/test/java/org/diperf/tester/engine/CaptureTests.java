package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.diperf.core.spi.Answer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class CaptureTests {

    private record Cookies(List<String> set) implements Answer {
        @Override
        public @Nullable String header(String name) {
            return set.isEmpty() ? null : set.get(0);
        }

        @Override
        public List<String> headers(String name) {
            return name.equalsIgnoreCase("set-cookie") ? set : List.of();
        }

        @Override
        public String body() {
            return "";
        }
    }

    @Test
    void aCookieIsItsValueWithoutAttributes() {
        Cookies answer = new Cookies(List.of(
                "theme=dark; Path=/", "sid=42=x; Path=/; HttpOnly; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "empty="));
        assertThat(Capture.parse("cookie:sid").of(answer)).isEqualTo("42=x");
        assertThat(Capture.parse("cookie: theme").of(answer)).isEqualTo("dark");
        assertThat(Capture.parse("cookie:empty").of(answer)).isEmpty();
        assertThat(Capture.parse("cookie:SID").of(answer)).isNull();
        assertThat(Capture.parse("cookie:none").of(answer)).isNull();
    }

    @Test
    void theLastCookieOfANameCounts() {
        assertThat(Capture.parse("cookie:sid").of(new Cookies(List.of("sid=old", "sid=new; Secure"))))
                .isEqualTo("new");
    }

    @Test
    void anotherWordIsRefusedWithAllThatAreKnown() {
        assertThatThrownBy(() -> Capture.parse("xml:/a"))
                .hasMessageContaining("json:/POINTER, header:NAME, cookie:NAME or regex:REGEX");
    }
}
