package org.diperf.plugins.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.http2.ScriptedHttp2Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that show certificates of their own, and what else of TLS can be chosen. */
@Timeout(120)
class ClientTlsTests {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private static RunCredentials authority;
    private static SSLContext server;

    @TempDir
    Path folder;

    /** What the server saw of each request's connection. */
    private final List<SSLSession> sessions = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void makeServer() throws Exception {
        authority = new RunCredentials(Instant.now(), new SecureRandom());
        RunCredentials.Identity identity = authority.issue(Role.CONTROLLER, 0);
        char[] none = new char[0];
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("server", identity.key(), none, new java.security.cert.Certificate[] {
            identity.certificate(), authority.authority()
        });
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, none);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", authority.authority());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        server = SSLContext.getInstance("TLS");
        server.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
    }

    private ServerSocket listener(boolean wantsCertificates, boolean version2) throws IOException {
        SSLServerSocket listener = (SSLServerSocket)
                server.getServerSocketFactory().createServerSocket(0, 200, InetAddress.getLoopbackAddress());
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setNeedClientAuth(wantsCertificates);
        parameters.setApplicationProtocols(new String[] {version2 ? "h2" : "http/1.1"});
        listener.setSSLParameters(parameters);
        return listener;
    }

    private ScriptedServer server(boolean wantsCertificates) throws IOException {
        return new ScriptedServer(listener(wantsCertificates, false), (request, head, socket, out) -> {
            note(socket);
            out.write(OK.getBytes(US_ASCII));
        });
    }

    private void note(Socket socket) {
        sessions.add(((SSLSocket) socket).getSession());
    }

    private static String pem(String what, byte[] der) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der) + "\n-----END " + what
                + "-----\n";
    }

    /** Writes a client's certificate and key into one file. */
    private Path identity(RunCredentials by, int number) throws Exception {
        RunCredentials.Identity identity = by.issue(Role.TESTER, number);
        return Files.writeString(
                folder.resolve(number + ".pem"),
                pem("CERTIFICATE", identity.certificate().getEncoded())
                        + pem("PRIVATE KEY", identity.key().getEncoded()));
    }

    private PluginHarness harness(int port, Map<String, ?> with) throws Exception {
        Map<String, Object> all = new HashMap<>(Map.of("insecure", true));
        all.putAll(with);
        return new PluginHarness(
                new HttpPlugin(),
                List.of(Url.of("https://127.0.0.1:" + port + "/")),
                all,
                Duration.ofSeconds(20),
                folder,
                new NettyLoop());
    }

    private String failure(int port, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(port, with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            return String.valueOf(call.failure());
        }
    }

    // A thousand handshakes, one after another, in the long check.
    @Timeout(600)
    @ParameterizedTest
    @ValueSource(strings = {"1.1", "2"})
    void eachClientIsSeenAsItself(String version) throws Exception {
        int count = Boolean.getBoolean("diperf.long") ? 1_000 : 40;
        for (int i = 0; i < count; i++) {
            identity(authority, i + 1);
            Files.move(folder.resolve((i + 1) + ".pem"), folder.resolve("user-" + i + ".pem"));
        }
        Map<String, String> subjects = new ConcurrentHashMap<>();
        boolean is2 = version.equals("2");
        ServerSocket listener = listener(true, is2);
        try (AutoCloseable running = is2
                        ? new ScriptedHttp2Server(listener, (request, socket, out) -> {
                            note(socket);
                            subjects.put(request.fields().replaceAll("(?s).*:path: /(\\d+).*", "$1"), subject(socket));
                            out.write(ScriptedHttp2Server.response(request.stream(), "hello"));
                        })
                        : new ScriptedServer(listener, (request, head, socket, out) -> {
                            note(socket);
                            subjects.put(head.replaceAll("(?s)GET /(\\d+).*", "$1"), subject(socket));
                            out.write(OK.getBytes(US_ASCII));
                        });
                PluginHarness harness = harness(
                        listener.getLocalPort(),
                        Map.of("version", version, "path", "/${client}", "cert", folder + "/user-${client}.pem"))) {
            List<PluginHarness.Owned> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                PluginHarness.Owned client = harness.client(i);
                clients.add(client);
                for (int call = 0; call < 2; call++) {
                    CallProbe probe = client.call();
                    assertThat(probe.failure()).isNull();
                    assertThat(probe.metrics().containsKey("tls")).isEqualTo(call == 0);
                }
            }
            assertThat(subjects.keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, count).mapToObj(String::valueOf).toList());
            assertThat(new HashSet<>(subjects.values()))
                    .as("subjects that the service saw")
                    .hasSize(count);
            for (PluginHarness.Owned client : clients) {
                client.close();
            }
            assertThat(running).isNotNull();
        }
    }

    private static String subject(Socket socket) throws IOException {
        return ((SSLSocket) socket).getSession().getPeerPrincipal().getName();
    }

    @Test
    void aServerThatTakesNobodyWithoutACertificateSaysSo() throws Exception {
        RunCredentials stranger = new RunCredentials(Instant.now(), new SecureRandom());
        try (ScriptedServer server = server(true)) {
            assertThat(failure(server.port(), Map.of())).startsWith("tls: ");
            assertThat(failure(
                            server.port(), Map.of("cert", identity(stranger, 1).toString())))
                    .startsWith("tls: ");
            assertThat(failure(
                            server.port(), Map.of("cert", identity(authority, 2).toString())))
                    .isEqualTo("null");
        }
    }

    @Test
    void certificatesAndKeysThatCannotBeReadAreToldByTheirFile() throws Exception {
        Path good = identity(authority, 3);
        Path text = Files.writeString(folder.resolve("text.pem"), "no certificate");
        Path pkcs1 = Files.writeString(folder.resolve("old.key"), pem("RSA PRIVATE KEY", new byte[40]));
        assertThatThrownBy(() -> harness(1, Map.of("cert", "/no/such.pem")))
                .hasMessage("cert: expected a PEM file on the tester, got none at '/no/such.pem'");
        assertThatThrownBy(() -> harness(1, Map.of("cert", good.toString(), "key", "/no/such.key")))
                .hasMessage("key: expected a PEM file on the tester, got none at '/no/such.key'");
        assertThatThrownBy(() -> harness(1, Map.of("cert", text.toString(), "key", good.toString())))
                .hasMessageStartingWith("cert: expected a PEM file with a certificate, got something else in " + text);
        assertThatThrownBy(() -> harness(1, Map.of("cert", good.toString(), "key", pkcs1.toString())))
                .hasMessageStartingWith("key: expected a PEM file with an unencrypted PKCS #8 private key")
                .hasMessageContaining("openssl pkcs8");
        assertThatThrownBy(() -> harness(1, Map.of("key", good.toString())))
                .hasMessageStartingWith("key: expected cert too");
        // Where each client has its own, that client's calls tell.
        try (ScriptedServer server = server(true)) {
            assertThat(failure(server.port(), Map.of("cert", folder + "/none-${client}.pem")))
                    .isEqualTo("cert: expected a PEM file on the tester, got none at '" + folder + "/none-0.pem'");
        }
    }

    @Test
    void versionsAndCiphersAreThoseThatWereChosen() throws Exception {
        try (ScriptedServer server = server(false)) {
            Map<String, ?> with = Map.of(
                    "tls-versions", List.of("TLSv1.2"), "ciphers", List.of("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"));
            assertThat(failure(server.port(), with)).isEqualTo("null");
            assertThat(sessions.get(0).getProtocol()).isEqualTo("TLSv1.2");
            assertThat(sessions.get(0).getCipherSuite()).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
        }
        assertThatThrownBy(() -> harness(1, Map.of("tls-versions", List.of("TLS1.3"))))
                .hasMessageStartingWith("tls-versions: expected one of ")
                .hasMessageContaining("TLSv1.3")
                .hasMessageEndingWith("got 'TLS1.3'");
        assertThatThrownBy(() -> harness(1, Map.of("ciphers", List.of("rot13"))))
                .hasMessageEndingWith("got 'rot13'");
    }

    @Test
    void theServersNameIsTheOneThatWasChosen() throws Exception {
        try (ScriptedServer server = server(false)) {
            assertThat(failure(server.port(), Map.of("server-name", "shop.example.org")))
                    .isEqualTo("null");
            List<SNIServerName> names = ((ExtendedSSLSession) sessions.get(0)).getRequestedServerNames();
            assertThat(names).hasSize(1);
            assertThat(new String(names.get(0).getEncoded(), US_ASCII)).isEqualTo("shop.example.org");
        }
    }

    /** Services of containers have names without a dot, and gateways choose by them. */
    @Test
    void aNameWithoutADotIsToldToo() throws Exception {
        for (String name : List.of("localhost", "127.0.0.1")) {
            sessions.clear();
            try (ScriptedServer server = server(false);
                    PluginHarness harness = new PluginHarness(
                            new HttpPlugin(),
                            List.of(Url.of("https://" + name + ":" + server.port() + "/")),
                            Map.of("insecure", true),
                            Duration.ofSeconds(20),
                            folder,
                            new NettyLoop());
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).isNull();
                assertThat(((ExtendedSSLSession) sessions.get(0))
                                .getRequestedServerNames().stream()
                                        .map(each -> new String(each.getEncoded(), US_ASCII))
                                        .toList())
                        .isEqualTo(name.equals("localhost") ? List.of("localhost") : List.of());
            }
        }
    }

    @Test
    void sessionsAreResumedUnlessThatIsSwitchedOff() throws Exception {
        for (boolean resumes : new boolean[] {true, false}) {
            sessions.clear();
            try (ScriptedServer server = server(false);
                    PluginHarness harness = harness(
                            server.port(),
                            Map.of(
                                    "connection",
                                    "new",
                                    "tls-resumption",
                                    resumes,
                                    // A session of 1.2 has an id that says whether it is the one before.
                                    "tls-versions",
                                    List.of("TLSv1.2")));
                    PluginHarness.Owned client = harness.client(0)) {
                for (int i = 0; i < 4; i++) {
                    assertThat(client.call().failure()).isNull();
                }
            }
            Set<Long> made = new HashSet<>();
            sessions.forEach(
                    session -> made.add(session.getCreationTime() * 31 + java.util.Arrays.hashCode(session.getId())));
            assertThat(made).hasSize(resumes ? 1 : 4);
        }
    }
}
