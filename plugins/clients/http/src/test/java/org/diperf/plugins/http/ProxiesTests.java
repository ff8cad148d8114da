package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ProxiesTests {

    private static final List<String> THREE = List.of("http://a:1", "http://b:2", "http://c:3");

    @TempDir
    Path folder;

    private static Proxies proxies(Object given) {
        return Proxies.of(Parameters.read(List.of(Proxies.KEY), Map.of("proxy", given), 1));
    }

    private static Proxies three(String assign, String per) {
        return proxies(Map.of("each", THREE, "assign", assign, "per", per));
    }

    @Test
    void unitsAreMappedAsAssigned() {
        assertThat(three("round-robin", "client").wayOf(4, 9, 9, 7)).isEqualTo(1);
        assertThat(three("round-robin", "tester").wayOf(9, 5, 9, 7)).isEqualTo(2);
        assertThat(three("one-to-one", "host").wayOf(9, 9, 2, 7)).isEqualTo(2);
        assertThat(three("all-to-all", "client").wayOf(4, 9, 9, 7)).isEqualTo(2);
        assertThat(proxies("http://a:1").wayOf(7, 7, 7, 7)).isZero();
        assertThat(Proxies.of(Parameters.read(List.of(Proxies.KEY), Map.of(), 1))
                        .ways())
                .isEqualTo(1);
    }

    @Test
    void aUnitWithoutAProxyOfItsOwnIsTold() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> three("one-to-one", "tester").wayOf(0, 3, 0, 0))
                .withMessage(
                        "proxy: one-to-one: expected a proxy for each tester, got 3 proxies for at least 4 of them; add "
                                + "proxies or use round-robin");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://a:1|expected http://HOST:PORT",
                "{each: none}|it has no scheme such as http://",
                "http://my_proxy:99999|expected a port from 1 to 65535, got 99999",
            })
    void whatIsNoProxyIsTold(String value, String wanted) {
        Object given = value.startsWith("{") ? Map.of("each", "none") : value;
        assertThatIllegalArgumentException().isThrownBy(() -> proxies(given)).withMessageContaining(wanted);
    }

    @Test
    void misspeltWordsAreToldWithTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> proxies(Map.of("each", THREE, "asign", "all-to-all")))
                .withMessageContaining("Did you mean 'assign'?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> three("all-to-al", "client"))
                .withMessageContaining("Did you mean 'all-to-all'?");
    }

    @Test
    void callsGoThroughTheirProxiesAndSayWhatTheirCachesDid() throws Exception {
        try (ScriptedServer hits = ScriptedServer.always(
                        "HTTP/1.1 200 OK\r\nX-Cache: HIT from a\r\nContent-Length: 3\r\n\r\nhit");
                ScriptedServer misses = ScriptedServer.always(
                        "HTTP/1.1 200 OK\r\nCache-Status: b;fwd=uri-miss;stored\r\nContent-Length: 4\r\n\r\nmiss");
                PluginHarness harness = new PluginHarness(
                        new HttpPlugin(),
                        List.of(Url.of("http://one.test/x"), Url.of("http://two.test/y")),
                        Map.of(
                                "proxy",
                                Map.of(
                                        "each",
                                        List.of("http://127.0.0.1:" + hits.port(), "http://127.0.0.1:" + misses.port()),
                                        "assign",
                                        "all-to-all")),
                        Duration.ofSeconds(5),
                        folder,
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe first = client.call(0);
            CallProbe second = client.call(1);
            CallProbe third = client.call(0);
            assertThat(first.metrics()).containsEntry("cache.hit", 3.0).doesNotContainKey("cache.miss");
            assertThat(second.metrics()).containsEntry("cache.miss", 4.0);
            assertThat(third.metrics()).containsEntry("cache.hit", 3.0);
            assertThat(hits.requests()).hasSize(2).allMatch(request -> request.startsWith("GET http://one.test/x "));
            assertThat(misses.requests()).hasSize(1).allMatch(request -> request.startsWith("GET http://two.test/y "));
            assertThat(hits.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Cache: HIT from squid.test|HIT",
                "x-cache: MISS from squid.test|MISS",
                "X-Cache: MISS from far, HIT from near|HIT",
                "X-Cache: HIT from s#Cache-Status: s;detail=HIER_NONE|HIT",
                "Cache-Status: s;detail=HIER_DIRECT#X-Cache: HIT from s|REVALIDATED",
                "X-Cache: MISS from s#Cache-Status: s;detail=HIER_DIRECT|MISS",
                "Cache-Status: origin; hit|HIT",
                "Cache-Status: near; fwd=stale; fwd-status=304|REVALIDATED",
                "Cache-Status: near; fwd=stale; fwd-status=200|MISS",
                "Cache-Status: far; hit, near; fwd=miss|MISS",
                "X-Cache: HIT from old#Cache-Status: near;fwd=miss|MISS",
                "Via: 1.1 somebody|NONE"
            })
    void whatACacheSaysIsRead(String fields, String wanted) {
        String head = "HTTP/1.1 200 OK\r\n" + fields.replace("#", "\r\n") + "\r\nContent-Length: 0\r\n\r\n";
        ResponseParser parser = new ResponseParser(new HeaderCache(), true, new Memory(1 << 20));
        // The second time the head is known.
        for (int i = 0; i < 2; i++) {
            ByteBuf in = Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII);
            parser.reset(ResponseParser.Request.ORDINARY);
            assertThat(parser.read(in)).isTrue();
            assertThat(parser.cache()).isEqualTo(CacheStatus.valueOf(wanted));
        }
        ResponseParser other = new ResponseParser(new HeaderCache(), false, new Memory(1 << 20));
        assertThat(other.read(Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII)))
                .isTrue();
        assertThat(other.cache()).as("nobody looks where there is no proxy").isEqualTo(CacheStatus.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 200 OK#Token:  t1 #Content-Length: 5##hello|t1|hello",
                "HTTP/1.1 103 Early#Link: x##HTTP/1.1 200 OK#token: t2#Transfer-Encoding: chunked##3;x=y#abc#2#de#0##|t2|abcde",
                "HTTP/1.1 204 No Content#Token: t3##|t3|"
            })
    void aKeptAnswerHasItsFieldsAndItsBody(String raw, String token, String body) {
        byte[] all = raw.replace("#", "\r\n").getBytes(StandardCharsets.UTF_8);
        BufferedResponse answer = read(all, 1);
        assertThat(answer.header("TOKEN")).isEqualTo(token);
        assertThat(answer.header("link")).isNull();
        assertThat(answer.body()).isEqualTo(body == null ? "" : body);
    }

    /** Reads a response that comes in pieces. */
    static BufferedResponse read(byte[] response, int piece) {
        BufferedResponse answer = new BufferedResponse(true, new Memory(4 << 20));
        ResponseParser parser = new ResponseParser(new HeaderCache(), false, new Memory(1 << 20));
        parser.reset(ResponseParser.Request.ORDINARY, answer);
        for (int at = 0; at < response.length; at += piece) {
            parser.read(Unpooled.wrappedBuffer(response, at, Math.min(piece, response.length - at)));
        }
        answer.end();
        return answer;
    }
}
