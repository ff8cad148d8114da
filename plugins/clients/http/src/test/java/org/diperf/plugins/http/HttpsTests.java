package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.Failures;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HttpsTests {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    @TempDir
    static Path certificates;

    private static TestCertificate good;
    private static TestCertificate ofAnother;
    private static TestCertificate expired;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeCertificates() throws Exception {
        good = TestCertificate.make(certificates, "good", "dns:localhost,ip:127.0.0.1");
        ofAnother = TestCertificate.make(certificates, "another", "dns:another.example");
        expired = TestCertificate.make(certificates, "old", "ip:127.0.0.1", "-startdate", "-10d", "-validity", "5");
    }

    private static ScriptedServer server(TestCertificate certificate) throws Exception {
        return new ScriptedServer(
                certificate.listen(), (request, head, socket, out) -> out.write(OK.getBytes(StandardCharsets.UTF_8)));
    }

    private static Url target(ScriptedServer server) {
        return Url.of("https://127.0.0.1:" + server.port() + "/a");
    }

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new HttpPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, new NettyLoop());
    }

    /** Calls twice and wants both to fail alike. */
    private String failure(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe first = client.call();
            CallProbe second = client.call();
            assertThat(first.isOk()).isFalse();
            assertThat(second.failure()).isEqualTo(first.failure());
            assertThat(List.of(first.ends(), second.ends())).containsExactly(1, 1);
            return String.valueOf(first.failure());
        }
    }

    @Test
    void aCertificateOfTheCaIsTrustedAndTheConnectionIsKept() throws Exception {
        try (ScriptedServer server = server(good);
                PluginHarness harness =
                        harness(target(server), Map.of("ca", good.pem().toString()));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 30; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.bytes()).isEqualTo(5);
                assertThat(call.isFirst()).isEqualTo(i == 0);
                assertThat(call.metrics().containsKey("tls")).isEqualTo(i == 0);
            }
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests())
                    .hasSize(30)
                    .allSatisfy(request -> assertThat(request)
                            .startsWith("GET /a HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n"));
        }
    }

    @Test
    void aNameIsCheckedAgainstTheCertificateToo() throws Exception {
        try (ScriptedServer server = server(good);
                PluginHarness harness = harness(
                        Url.of("https://localhost:" + server.port()),
                        Map.of("ca", good.pem().toString()));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isNull();
        }
    }

    @Test
    void withoutCaASelfSignedCertificateIsNotTrusted() throws Exception {
        try (ScriptedServer server = server(good)) {
            assertThat(failure(target(server), Map.of())).isEqualTo("tls: certificate not trusted");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void insecureTakesAnyCertificateWhateverItsHostAndTime() throws Exception {
        for (TestCertificate certificate : List.of(good, ofAnother, expired)) {
            try (ScriptedServer server = server(certificate);
                    PluginHarness harness = harness(target(server), Map.of("insecure", true));
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).isNull();
            }
        }
    }

    @Test
    void aCertificateForAnotherHostIsAFailure() throws Exception {
        try (ScriptedServer server = server(ofAnother)) {
            Map<String, ?> with = Map.of("ca", ofAnother.pem().toString());
            assertThat(failure(target(server), with)).isEqualTo("tls: certificate is for another host");
            assertThat(failure(Url.of("https://localhost:" + server.port()), with))
                    .isEqualTo("tls: certificate is for another host");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void timesOfACertificateAreNotInTheKindOfItsFailure() {
        for (Exception cause : List.of(
                new CertificateExpiredException("NotAfter: Thu Jan 01 00:00:00 UTC 1970"),
                new CertificateNotYetValidException("NotBefore: Thu Jan 01 00:00:00 UTC 2170"))) {
            Exception path = new CertPathValidatorException("timestamp check failed", cause);
            SSLHandshakeException failure = new SSLHandshakeException("PKIX path validation failed: " + path);
            failure.initCause(path);
            assertThat(Failures.handshake(failure).kind()).matches("tls: certificate (expired|not yet valid)");
        }
    }

    @Test
    void aServerThatSpeaksNoTlsOrClosesIsAFailureThatSaysSo() throws Exception {
        try (ServerSocket plain = answeringAnything("SSH-2.0-x\r\n")) {
            assertThat(failure(Url.of("https://127.0.0.1:" + plain.getLocalPort()), Map.of("insecure", true)))
                    .isEqualTo("tls: the server does not speak it");
        }
        try (ServerSocket closing = answeringAnything("")) {
            assertThat(failure(Url.of("https://127.0.0.1:" + closing.getLocalPort()), Map.of("insecure", true)))
                    .isEqualTo("tls: closed in the handshake");
        }
    }

    private String remedy(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call().remedy();
        }
    }

    @Test
    void whatCanBeDoneAboutACertificateNamesTheParameters() throws Exception {
        String any = "accept any certificate with client.with.insecure=true (https: -k)";
        try (ScriptedServer server = server(good)) {
            assertThat(remedy(target(server), Map.of()))
                    .isEqualTo("it is self-signed: trust it with client.with.ca=FILE, or " + any);
        }
        try (ScriptedServer server = server(ofAnother)) {
            assertThat(remedy(target(server), Map.of("ca", ofAnother.pem().toString())))
                    .isEqualTo("use a name that is in the certificate (client.with.server-name), or " + any);
        }
    }

    @Test
    void whoTakesAPortForThatOfTheOtherSchemeIsAskedWhetherThatIsMeant() throws Exception {
        try (ServerSocket plain = answeringAnything("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(remedy(Url.of("https://127.0.0.1:" + plain.getLocalPort()), Map.of()))
                    .isEqualTo("this port speaks no TLS: did you mean the scheme without it, such as http://?");
        }
        String https = "this port speaks TLS: did you mean https://?";
        String words = "The plain HTTP request was sent to HTTPS port";
        for (String answer : List.of(
                "\u0015\u0003\u0003\u0000\u0002\u0002\u0016",
                "HTTP/1.1 400 Bad Request\r\nContent-Length: " + words.length() + "\r\n\r\n" + words)) {
            try (ServerSocket secured = answeringAnything(answer)) {
                assertThat(remedy(Url.of("http://127.0.0.1:" + secured.getLocalPort()), Map.of()))
                        .as(answer)
                        .isEqualTo(https);
            }
        }
        try (ServerSocket other = answeringAnything("HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno")) {
            assertThat(remedy(Url.of("http://127.0.0.1:" + other.getLocalPort()), Map.of()))
                    .isEmpty();
        }
    }

    @Test
    void whatCanBeDoneAboutAStatusIsSaid() throws Exception {
        try (ServerSocket service = answeringAnything("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(remedy(Url.of("http://127.0.0.1:" + service.getLocalPort()), Map.of()))
                    .isEqualTo("send credentials, such as -H 'Authorization: ...' (client.with.headers)");
        }
    }

    @Test
    void aServerThatIsSilentInTheHandshakeIsGivenUp() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                PluginHarness harness =
                        harness(Url.of("https://127.0.0.1:" + silent.getLocalPort()), Map.of("insecure", true));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            try (Socket accepted = silent.accept()) {
                assertThat(accepted.getInputStream().read()).isPositive();
                assertThat(call.ends()).isZero();
                client.cancel(call);
                assertThat(call.awaitEnd(5_000)).isTrue();
            }
            assertThat(call.failure()).isEqualTo("cancelled");
            assertThat(call.ends()).isEqualTo(1);
        }
    }

    /** Reads once from each connection, answers this and closes it. */
    private static ServerSocket answeringAnything(String answer) throws Exception {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            try (Socket socket = listener.accept();
                                    OutputStream out = socket.getOutputStream()) {
                                socket.getInputStream().read(new byte[16 << 10]);
                                out.write(answer.getBytes(StandardCharsets.US_ASCII));
                            }
                        }
                    } catch (java.io.IOException closed) {
                        // the test is over
                    }
                },
                "plain-server");
        thread.setDaemon(true);
        thread.start();
        return listener;
    }

    @Test
    void aCaThatCannotBeReadIsToldBeforeTheRun() throws Exception {
        Url target = Url.of("https://127.0.0.1:1");
        assertThatThrownBy(() -> harness(target, Map.of("ca", "/no/such.pem")))
                .hasMessage("ca: expected a PEM file on the tester, got none at /no/such.pem");
        Path text = Files.writeString(folder.resolve("text.pem"), "no certificate");
        assertThatThrownBy(() -> harness(target, Map.of("ca", text.toString())))
                .hasMessage("ca: expected a PEM file with certificates, got something else in " + text);
        assertThatThrownBy(() -> harness(target, Map.of("ca", text.toString(), "insecure", true)))
                .hasMessageContaining("got both");
    }

    @Test
    void throughAProxyTheHandshakeIsWithTheTarget() throws Exception {
        try (ScriptedServer server = server(good);
                ForwardProxy proxy = new ForwardProxy();
                PluginHarness harness = harness(
                        target(server),
                        Map.of("proxy", proxy.url(), "ca", good.pem().toString()));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe first = client.call();
            assertThat(first.failure()).isNull();
            assertThat(first.metrics()).containsKeys("connect", "tls", "first-byte");
            assertThat(client.call().isOk()).isTrue();
            String peer = "127.0.0.1:" + server.port();
            assertThat(proxy.requests()).containsExactly("CONNECT " + peer + " HTTP/1.1\r\nHost: " + peer + "\r\n\r\n");
            // Inside the tunnel the request is as without a proxy.
            assertThat(server.requests()).hasSize(2).allMatch(request -> request.startsWith("GET /a HTTP/1.1\r\n"));
        }
    }

    @Test
    void aProxyThatRefusesTheTunnelIsAFailureEachTime() throws Exception {
        Url target = Url.of("https://service.example/");
        for (int status : new int[] {403, 407, 502}) {
            String refusal = "HTTP/1.1 " + status + " No\r\nContent-Length: 2\r\n\r\nno";
            try (ScriptedServer proxy = ScriptedServer.always(refusal)) {
                assertThat(failure(target, Map.of("proxy", "http://127.0.0.1:" + proxy.port())))
                        .isEqualTo("proxy: status " + status);
                assertThat(proxy.requests()).allMatch(request -> request.startsWith("CONNECT service.example:443 "));
            }
        }
        try (ScriptedServer proxy = new ScriptedServer((request, head, socket, out) -> socket.close())) {
            assertThat(failure(target, Map.of("proxy", "http://127.0.0.1:" + proxy.port())))
                    .isEqualTo("proxy: closed before the response");
            proxy.close();
            assertThat(failure(target, Map.of("proxy", "http://127.0.0.1:" + proxy.port())))
                    .isEqualTo("proxy: connection refused");
        }
        try (ScriptedServer proxy = ScriptedServer.always("SSH-2.0-x\r\n")) {
            assertThat(failure(target, Map.of("proxy", "http://127.0.0.1:" + proxy.port())))
                    .startsWith("proxy: bad response");
        }
    }
}
