package org.diperf.plugins.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a service on the standard's own types, and against servers that do not do what they should. */
@Timeout(60)
class WsrfClientTests {

    private static final String ENTRIES = "//*[local-name()='Entry']";
    private static final String ENVELOPE = "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>";
    private static final String END = "</s:Body></s:Envelope>";

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new WsrfPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, new NettyLoop());
    }

    private CallProbe one(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 100, 500})
    void asManyElementsAreFoundAsTheServicesOwnLibraryFinds(int size) throws Exception {
        try (IndexService service = IndexService.plain(size);
                PluginHarness harness = harness(service.uri(), Map.of("xpath", ENTRIES));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 20; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.metrics()).containsEntry("entries", (double) service.count(ENTRIES));
                assertThat(call.bytes()).isGreaterThan(500 + 40L * size);
                assertThat(call.isFirst()).isEqualTo(i == 0);
            }
            assertThat(service.actions()).hasSize(20).containsOnly("\"" + Soap.ACTION + "\"");
        }
    }

    @Test
    void theQueryIsFilledInForEveryCallAndMayHoldWhatXmlMustEscape() throws Exception {
        try (IndexService service = IndexService.plain(40);
                PluginHarness harness = harness(
                        service.uri(), Map.of("xpath", "//*[@free < 3 and @name != \"host${call}\" and '&' != '<']"));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 5; i++) {
                int found = service.count("//*[@free < 3 and @name != 'host" + i + "']");
                assertThat(client.call().metrics()).containsEntry("entries", (double) found);
            }
        }
    }

    @Test
    void withoutAQueryAllPropertiesAreAskedFor() throws Exception {
        try (IndexService service = IndexService.plain(40)) {
            CallProbe call = one(service.uri(), Map.of());
            assertThat(call.isOk()).as(call.toString()).isTrue();
            assertThat(call.metrics()).containsEntry("entries", (double) service.count("/*"));
        }
    }

    @Test
    void aNewConnectionIsMadeForEachQueryWhereThatIsWanted() throws Exception {
        try (IndexService service = IndexService.plain(1);
                PluginHarness harness = harness(service.uri(), Map.of("xpath", ENTRIES, "connection", "new"));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 5; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.isFirst()).isTrue();
            }
        }
    }

    @Test
    void overTlsItFindsTheSame() throws Exception {
        TestCertificate certificate = TestCertificate.make(folder, "service", "ip:127.0.0.1");
        try (IndexService service = IndexService.secure(10, certificate)) {
            Map<String, String> with =
                    Map.of("xpath", ENTRIES, "ca", certificate.pem().toString());
            CallProbe call = one(service.uri(), with);
            assertThat(call.isOk()).as(call.toString()).isTrue();
            assertThat(call.metrics()).containsEntry("entries", 10.0).containsKey("tls");
            assertThat(one(service.uri(), Map.of("xpath", ENTRIES)).failure())
                    .isEqualTo("tls: certificate not trusted");
        }
    }

    @Test
    void faultsOfTheStandardAreOutcomesByTheirNames() throws Exception {
        try (IndexService service = IndexService.plain(1)) {
            assertThat(one(service.uri(), Map.of("xpath", "//*[")).failure())
                    .isEqualTo("fault: InvalidQueryExpressionFault");
            assertThat(one(service.uri(), Map.of("xpath", "//*", "dialect", "urn:none"))
                            .failure())
                    .isEqualTo("fault: UnknownQueryExpressionDialectFault");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 OK | BODY<r:QueryResourcePropertiesResponse xmlns:r='x'><a/><b><c/></b></r:QueryResourcePropertiesResponse>END | OK",
                "200 OK | BODY<other/>END | no QueryResourcePropertiesResponse",
                "200 OK | BODY<r:Query | malformed XML",
                "200 OK | <!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a> | malformed XML",
                "500 Error | BODY<s:Fault><faultcode>s:Server</faultcode><faultstring>no disk</faultstring></s:Fault>END"
                        + " | fault: Server: no disk",
                "500 Error | BODY<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>why</s:Text>"
                        + "</s:Reason></s:Fault>END | fault: Sender: why",
                "500 Error | BODY<s:Fault></s:Fault>END | fault: no reason",
                "500 Error | sorry | status 500",
                "503 Busy | <html>busy</html> | status 503",
                "404 None | '' | status 404",
            })
    void aBadAnswerIsAnOutcomeWithAReason(String status, String body, String reason) throws Exception {
        String content = body.replace("BODY", ENVELOPE).replace("END", END);
        String answer = "HTTP/1.1 " + status + "\r\nContent-Length: " + content.length() + "\r\n\r\n" + content;
        try (Script server = new Script(false, hex(answer))) {
            CallProbe call = one(server.uri("http"), Map.of("xpath", ENTRIES));
            assertThat(call.failure()).isEqualTo(reason.equals("OK") ? null : reason);
            if (reason.equals("OK")) {
                assertThat(call.metrics()).containsEntry("entries", 2.0);
            }
        }
    }

    @Test
    void halfAResponseIsToldFromNoneAndFromOneThatIsNoHttp() throws Exception {
        Map<String, String> reasons = Map.of(
                "", "closed before the response",
                "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<s:Env", "closed within the response",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<s:En\r\n", "closed within the response",
                "HTTP/1.1 200 OK\r\n\r\n<s:Env", "malformed XML",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "malformed response",
                "SSH-2.0-OpenSSH_9.2\r\n\r\n", "malformed response");
        for (Map.Entry<String, String> each : reasons.entrySet()) {
            try (Script server = new Script(true, hex(each.getKey()))) {
                assertThat(one(server.uri("http"), Map.of("xpath", ENTRIES)).failure())
                        .as(each.getKey())
                        .isEqualTo(each.getValue());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"http, ''", "http, HTTP/1.1 200 OK_Content-Length: 1000__<s:Env", "https, ''"})
    void whoFallsSilentAnywhereIsGivenUpAndTheNextCallBeginsAnew(String scheme, String answer) throws Exception {
        Map<String, Object> with = Map.of("xpath", ENTRIES, "insecure", true);
        try (Script server = new Script(false, hex(answer.replace("_", "\r\n")));
                PluginHarness harness = harness(server.uri(scheme), with);
                PluginHarness.Owned client = harness.client(0)) {
            server.isGivenUpTwice(client);
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatCannotBeAskedIsSaidBeforeAnythingStarts() {
        Url target = Url.of("http://127.0.0.1:1/");
        assertThatThrownBy(() -> harness(target, Map.of("xpath", "/", "prefixes", Map.of("a b", "urn:x"))))
                .hasMessageStartingWith("prefixes: expected names");
        assertThatThrownBy(() -> harness(Url.of("ldap://127.0.0.1:1/"), Map.of("xpath", "/")))
                .hasMessageStartingWith("target: expected http://HOST:PORT/PATH");
    }
}
