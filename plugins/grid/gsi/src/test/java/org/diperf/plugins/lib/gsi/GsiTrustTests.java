package org.diperf.plugins.lib.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.PEMCredential;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class GsiTrustTests {

    @TempDir
    static Path home;

    private static OpensslCertChainValidator validator;
    private static X509Certificate host;

    @BeforeAll
    static void makeWorld() throws Exception {
        GsiWorld.make(home);
        validator = new OpensslCertChainValidator(home.resolve("trusted").toString());
        host = certificate("host-cert.pem");
    }

    @AfterAll
    static void disposeOfValidator() {
        validator.dispose();
    }

    private static X509Certificate certificate(String name) throws Exception {
        try (InputStream in = Files.newInputStream(home.resolve(name))) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static X509Certificate[] chain(String name) throws Exception {
        return new PEMCredential(home.resolve(name).toString(), (char[]) null).getCertificateChain();
    }

    /** Counts how often it is asked. */
    private static final class Counting implements X509TrustManager {
        private final GsiValidator counted = new GsiValidator(validator);
        private int asked;

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            asked++;
            counted.checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            counted.checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return counted.getAcceptedIssuers();
        }
    }

    @Test
    void whoIsNotTrustedIsToldByTheIssuerThatIsMissing() throws Exception {
        X509Certificate[] stranger = chain("stranger.pem");
        assertThatThrownBy(() -> new GsiValidator(validator).checkServerTrusted(stranger, "RSA"))
                .isInstanceOf(UntrustedPeerException.class)
                .hasMessageMatching(
                        "certificate not trusted: ca-dir has no [0-9a-f]{8}\\.0 for its issuer /O=Grid/OU=test/CN=Nobody");
    }

    @Test
    void whoShowsMoreIssuersThanServersHaveGetsNoMoreOfThemNamed() throws Exception {
        GsiValidator trust = new GsiValidator(validator);
        for (int i = 1; i <= 65; i++) {
            X509Certificate[] chain = {GsiWorld.strange("CN=Nobody " + i + ",O=Grid")};
            assertThatThrownBy(() -> trust.checkServerTrusted(chain, "RSA"))
                    .hasMessageMatching("certificate not trusted"
                            + (i <= 64 ? ": ca-dir has no .* for its issuer /O=Grid/CN=Nobody " + i : ""));
        }
    }

    @Test
    void aProxyThatHasEndedIsToldToHave() throws Exception {
        X509Certificate[] ended = chain("ended.pem");
        assertThatThrownBy(() -> new GsiValidator(validator).checkServerTrusted(ended, "RSA"))
                .isInstanceOf(UntrustedPeerException.class)
                .hasMessage("certificate expired");
    }

    @Test
    void aChainThatWasFoundGoodStaysSoForAMinute() throws Exception {
        Counting counting = new Counting();
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
        GsiTrust trust = new GsiTrust(counting, now::get);
        for (int i = 0; i < 3; i++) {
            trust.checkClientTrusted(new X509Certificate[] {certificate("host-cert.pem")}, "RSA");
        }
        assertThat(counting.asked).isEqualTo(1);
        now.addAndGet(60_000_000_000L);
        trust.checkClientTrusted(new X509Certificate[] {host}, "RSA");
        assertThat(counting.asked).isEqualTo(2);
    }

    @Test
    void oneThatWasNotFoundGoodIsLookedAtAgain() throws Exception {
        Counting counting = new Counting();
        GsiTrust trust = new GsiTrust(counting, () -> 0);
        X509Certificate[] stranger = {certificate("stranger.pem")};
        for (int i = 1; i <= 2; i++) {
            assertThatThrownBy(() -> trust.checkClientTrusted(stranger, "RSA"))
                    .isInstanceOf(CertificateException.class);
            assertThat(counting.asked).isEqualTo(i);
        }
    }

    @Test
    void aServerIsNotTrustedWhereNobodyKnowsWhoseNameItShouldHave() {
        GsiTrust trust = new GsiTrust(new Counting(), () -> 0);
        assertThatThrownBy(() -> trust.checkServerTrusted(new X509Certificate[] {host}, "RSA"))
                .hasMessageContaining("the host was not verified");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, true",
        "LOCALHOST, true",
        "127.0.0.1, true",
        "127.0.0.2, false",
        "localhost.localdomain, false",
        "ocalhost, false",
        "'', false",
    })
    void aCertificateIsOfTheHostsThatItNames(String name, boolean isNamed) throws Exception {
        assertThat(GsiTrust.names(host, name)).isEqualTo(isNamed);
    }

    @Test
    void aProxyIsOfNoHost() throws Exception {
        assertThat(GsiTrust.names(certificate("other.pem"), "Other User")).isFalse();
        assertThat(GsiTrust.names(host, null)).isFalse();
    }
}
