package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of RFC 6265 for who gets which cookie. */
@Timeout(20)
class CookieJarTests {

    private final AtomicLong now = new AtomicLong();
    private final Memory memory = new Memory(10 << 20);
    private final CookieJar jar = new CookieJar(now::get, memory);

    private void set(String url, String... fields) {
        HttpTarget from = HttpTarget.of(Url.of(url));
        jar.take(from, from.path(), List.of(fields));
    }

    private String sentTo(String url) {
        HttpTarget to = HttpTarget.of(Url.of(url));
        return String.valueOf(jar.of(to, to.path()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Domain: of the host alone, or of all below the one that is named.
                "http://shop.example.org/|a=1|http://shop.example.org/x|a=1",
                "http://shop.example.org/|a=1|http://www.shop.example.org/|null",
                "http://shop.example.org/|a=1; Domain=example.org|http://pay.example.org/|a=1",
                "http://shop.example.org/|a=1; Domain=.Example.ORG|http://example.org/|a=1",
                "http://shop.example.org/|a=1; Domain=example.org|http://badexample.org/|null",
                "http://shop.example.org/|a=1; Domain=other.org|http://other.org/|null",
                "http://shop.example.org/|a=1; Domain=pay.shop.example.org|http://pay.shop.example.org/|null",
                "http://shop.example.org/|a=1; Domain=org|http://shop.example.org/|null",
                "http://localhost/|a=1; Domain=localhost|http://localhost/|a=1",
                "http://127.0.0.1/|a=1; Domain=127.0.0.1|http://127.0.0.1/|a=1",
                "http://127.0.0.1/|a=1; Domain=0.0.1|http://127.0.0.1/|null",
                // Ports do not separate cookies.
                "http://shop.example.org:8080/|a=1|http://shop.example.org:9090/|a=1",
                // Path: of the folder of the request, or as named.
                "http://shop.example.org/a/b?c=/d/e|a=1|http://shop.example.org/a/x|a=1",
                "http://shop.example.org/a/b|a=1|http://shop.example.org/ab|null",
                "http://shop.example.org/a/b|a=1|http://shop.example.org/a|a=1",
                "http://shop.example.org/a/b|a=1; Path=/|http://shop.example.org/|a=1",
                "http://shop.example.org/|a=1; Path=/cart|http://shop.example.org/cart/1|a=1",
                "http://shop.example.org/|a=1; Path=/cart|http://shop.example.org/cart?x|a=1",
                "http://shop.example.org/|a=1; Path=/cart|http://shop.example.org/carts|null",
                "http://shop.example.org/|a=1; Path=cart|http://shop.example.org/|a=1",
                // Secure ones travel encrypted alone.
                "https://shop.example.org/|a=1; Secure|http://shop.example.org/|null",
                "https://shop.example.org/|a=1; Secure; HttpOnly|https://shop.example.org/|a=1",
                // Blanks count for nothing.
                "http://shop.example.org/| sid = abc ; Path = / |http://shop.example.org/|sid=abc",
                "http://shop.example.org/|a= b = c; Path=/|http://shop.example.org/|a=b = c",
                // What is no cookie.
                "http://shop.example.org/|=1|http://shop.example.org/|null",
                "http://shop.example.org/|novalue|http://shop.example.org/|null",
            })
    void whoGetsACookie(String from, String field, String to, String sent) {
        set(from, field);
        assertThat(sentTo(to)).isEqualTo(sent);
    }

    @Test
    void longerPathsComeFirstAndThenWhatWasSetFirst() {
        set("http://a.example.org/", "x=1; Path=/", "y=2; Path=/", "z=3; Path=/deep");
        set("http://a.example.org/", "x=9; Path=/");
        assertThat(sentTo("http://a.example.org/deep/er")).isEqualTo("z=3; x=9; y=2");
    }

    @Test
    void theSameNameOfAnotherPathOrDomainIsAnotherCookie() {
        set("http://a.example.org/", "x=1; Path=/", "x=2; Path=/p", "x=3; Path=/; Domain=example.org");
        assertThat(sentTo("http://a.example.org/p")).isEqualTo("x=2; x=1; x=3");
    }

    @Test
    void aCookieLastsAsLongAsItSays() {
        set("http://a.example.org/", "x=1; Max-Age=10", "y=2");
        now.set(9_999_999_999L);
        assertThat(sentTo("http://a.example.org/")).isEqualTo("x=1; y=2");
        now.set(10_000_000_000L);
        assertThat(sentTo("http://a.example.org/")).isEqualTo("y=2");
        set("http://a.example.org/", "y=; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
        assertThat(sentTo("http://a.example.org/")).isEqualTo("null");
        set("http://a.example.org/", "z=1; Max-Age=99999999999999");
        assertThat(sentTo("http://a.example.org/")).isEqualTo("z=1");
        set("http://a.example.org/", "z=1; Max-Age=0");
        assertThat(jar.size()).isZero();
    }

    @Test
    void aJarIsBounded() {
        for (int i = 0; i < 60; i++) {
            set("http://a.example.org/", "c" + i + "=1");
        }
        assertThat(jar.size()).isEqualTo(50);
        assertThat(sentTo("http://a.example.org/")).startsWith("c10=1; ").endsWith("; c59=1");
        for (int i = 0; i < 1_000; i++) {
            set("http://h" + i + ".example.org/", "c=1");
        }
        assertThat(jar.size()).isEqualTo(300);
        set("http://b.example.org/", "big=" + "x".repeat(5_000), "bad=1\u0001");
        assertThat(sentTo("http://b.example.org/")).isEqualTo("null");
    }

    @Test
    void aQuotedValueGoesBackAsItCame() {
        set("http://a.example.org/", "q=\"a b\"; Path=/");
        assertThat(sentTo("http://a.example.org/")).isEqualTo("q=\"a b\"");
    }

    @Test
    void allJarsTogetherKeepNoMoreThanThereIsMemory() {
        HttpTarget from = HttpTarget.of(Url.of("http://shop.example.org/"));
        String large = "=" + "x".repeat(4_000);
        int jars = 0;
        while (new CookieJar(now::get, memory).take(from, "/", List.of("a" + large, "b" + large, "a" + large))) {
            jars++;
        }
        // Each keeps two of somewhat more than 8,000 bytes.
        assertThat(jars).isBetween(600, 655);
        assertThat(jar.take(from, "/", List.of("c" + large, "d" + large, "e" + large)))
                .isFalse();
        assertThat(jar.take(from, "/", List.of("c=; Max-Age=0", "d=; Max-Age=0")))
                .isTrue();
        long others = memory.kept();
        assertThat(jar.take(from, "/", List.of("c" + "=1", "c=22", "d=3; Max-Age=5")))
                .isTrue();
        assertThat(memory.kept()).isGreaterThan(others);
        now.set(6_000_000_000L);
        assertThat(jar.size()).isEqualTo(1);
        jar.clear();
        assertThat(memory.kept()).isEqualTo(others);
    }
}
