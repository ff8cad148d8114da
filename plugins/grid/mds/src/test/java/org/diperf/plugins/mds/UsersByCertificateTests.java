package org.diperf.plugins.mds;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.helpers.ssl.SSLTrustManager;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.PEMCredential;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that show certificates, proxies of GSI among them, to services that trust whom Globus trusts. */
@Timeout(60)
class UsersByCertificateTests {

    private static final byte[] NOBODYS_LDAP = {0x30, 12, 2, 1, 1, 0x65, 7, 10, 1, 0, 4, 0, 4, 0};
    private static final String SOAP = "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>"
            + "<r:QueryResourcePropertiesResponse xmlns:r='x'/></s:Body></s:Envelope>";

    @TempDir
    Path folder;

    private final List<String> subjects = new CopyOnWriteArrayList<>();
    private GsiWorld world;
    private SSLServerSocket listener;

    @BeforeEach
    void listen() throws Exception {
        world = GsiWorld.make(folder);
        Path host = folder.resolve("host-both.pem");
        Files.writeString(
                host,
                Files.readString(folder.resolve("host-cert.pem")) + Files.readString(folder.resolve("host-key.pem")));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                new KeyManager[] {new PEMCredential(host.toString(), (char[]) null).getKeyManager()},
                new TrustManager[] {
                    new SSLTrustManager(new OpensslCertChainValidator(
                            folder.resolve("trusted").toString()))
                },
                null);
        listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setNeedClientAuth(true);
        start(() -> {
            while (true) {
                SSLSocket socket = (SSLSocket) listener.accept();
                start(() -> serve(socket));
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // the test is over, or the client was refused
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Answers a query of either kind with nothing, and notes who asked. */
    private void serve(SSLSocket socket) throws IOException {
        try (Socket open = socket) {
            socket.startHandshake();
            subjects.add(socket.getSession().getPeerPrincipal().getName());
            InputStream in = open.getInputStream();
            byte[] read = new byte[1 << 16];
            for (int count = in.read(read); count > 0; count = in.read(read)) {
                String text = new String(read, 0, count, US_ASCII);
                if (!text.startsWith("POST")) {
                    byte[] answer = NOBODYS_LDAP.clone();
                    answer[4] = read[4];
                    open.getOutputStream().write(answer);
                } else {
                    while (!text.contains("Envelope>")) {
                        count = in.read(read);
                        text += new String(read, 0, count, US_ASCII);
                    }
                    open.getOutputStream()
                            .write(("HTTP/1.1 200 OK\r\nContent-Length: " + SOAP.length() + "\r\n\r\n" + SOAP)
                                    .getBytes(US_ASCII));
                }
            }
        }
    }

    private PluginHarness harness(String kind, Map<String, ?> with) throws Exception {
        Map<String, Object> all = new HashMap<>(with);
        all.put("ca", authority().toString());
        if (!kind.equals("ldaps")) {
            all.put("xpath", "//*");
        }
        Url target = Url.of(kind + "://127.0.0.1:" + listener.getLocalPort() + "/");
        return new PluginHarness(
                new MdsPlugin(), List.of(target), all, Duration.ofSeconds(10), folder, new NettyLoop());
    }

    private Path authority() throws IOException {
        try (Stream<Path> all = Files.list(world.folder().resolve("trusted"))) {
            return all.filter(file -> file.toString().endsWith(".0"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ldaps", "https"})
    void eachClientIsSeenByItsOwnCertificate(String kind) throws Exception {
        Files.copy(folder.resolve("proxy.pem"), folder.resolve("user-0.pem"));
        Files.copy(folder.resolve("other.pem"), folder.resolve("user-1.pem"));
        try (PluginHarness harness = harness(kind, Map.of("cert", folder + "/user-${client}.pem"))) {
            for (int i = 0; i < 2; i++) {
                try (PluginHarness.Owned client = harness.client(i)) {
                    CallProbe first = client.call();
                    assertThat(first.failure()).isNull();
                    assertThat(first.metrics()).containsKeys("connect", "tls");
                    assertThat(client.call().metrics()).doesNotContainKey("tls");
                }
            }
        }
        assertThat(subjects).hasSize(2);
        // A proxy has its user's name and one more of its own.
        assertThat(subjects.get(0)).contains("CN=Test User,").startsWith("CN=");
        assertThat(subjects.get(1)).contains("CN=Other User,").startsWith("CN=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ldaps", "https"})
    void whoIsNotTrustedLearnsIt(String kind) throws Exception {
        for (String file : new String[] {"", "stranger.pem", "ended.pem"}) {
            Map<String, String> with = file.isEmpty()
                    ? Map.of()
                    : Map.of("cert", folder.resolve(file).toString());
            try (PluginHarness harness = harness(kind, with);
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).as("of '" + file + "'").startsWith("tls: ");
            }
        }
        assertThat(subjects).isEmpty();
    }

    @Test
    void oneConnectionForAllCannotShowACertificateOfEach() {
        assertThatThrownBy(() -> harness("ldaps", Map.of("connection", "shared", "cert", "/x-${client}.pem")))
                .hasMessageStartingWith("connection: expected keep or new when clients have their own certificates");
    }
}
