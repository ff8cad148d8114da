package org.diperf.plugins.lib.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidator;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPath;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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

    private static X509Certificate host;

    @BeforeAll
    static void makeWorld() throws Exception {
        GsiWorld.make(home);
        host = certificate("host-cert.pem");
    }

    private static X509Certificate certificate(String name) throws Exception {
        try (InputStream in = Files.newInputStream(home.resolve(name))) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    /** Counts how often it is asked. */
    private static final class Counting implements X509CertChainValidator {
        private final OpensslCertChainValidator validator =
                new OpensslCertChainValidator(home.resolve("trusted").toString());
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public ValidationResult validate(CertPath path) {
            asked.incrementAndGet();
            return validator.validate(path);
        }

        @Override
        public ValidationResult validate(X509Certificate[] chain) {
            asked.incrementAndGet();
            return validator.validate(chain);
        }

        @Override
        public X509Certificate[] getTrustedIssuers() {
            return validator.getTrustedIssuers();
        }
    }

    @Test
    void aChainThatWasFoundGoodStaysSoForAMinute() throws Exception {
        Counting validator = new Counting();
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
        GsiTrust trust = new GsiTrust(validator, now::get);
        for (int i = 0; i < 3; i++) {
            trust.checkClientTrusted(new X509Certificate[] {certificate("host-cert.pem")}, "RSA");
        }
        assertThat(validator.asked).hasValue(1);
        now.addAndGet(60_000_000_000L);
        trust.checkClientTrusted(new X509Certificate[] {host}, "RSA");
        assertThat(validator.asked).hasValue(2);
        validator.validator.dispose();
    }

    @Test
    void oneThatWasNotFoundGoodIsLookedAtAgain() throws Exception {
        Counting validator = new Counting();
        GsiTrust trust = new GsiTrust(validator, () -> 0);
        X509Certificate[] stranger = {certificate("stranger.pem")};
        for (int i = 1; i <= 2; i++) {
            assertThatThrownBy(() -> trust.checkClientTrusted(stranger, "RSA"))
                    .isInstanceOf(CertificateException.class);
            assertThat(validator.asked).hasValue(i);
        }
        validator.validator.dispose();
    }

    @Test
    void aServerIsNotTrustedWhereNobodyKnowsWhoseNameItShouldHave() {
        GsiTrust trust = new GsiTrust(new Counting(), () -> 0);
        assertThatThrownBy(() -> trust.checkServerTrusted(new X509Certificate[] {host}, "RSA"))
                .hasMessageContaining("nobody has checked the host");
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
