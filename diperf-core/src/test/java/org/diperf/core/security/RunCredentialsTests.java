package org.diperf.core.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.SignatureException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.diperf.core.wire.Ticket;
import org.diperf.core.wire.WireException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunCredentialsTests {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private final RunCredentials credentials = new RunCredentials(NOW, new SecureRandom());

    private static String hex(byte[] der) {
        return HexFormat.of().formatHex(der);
    }

    @Test
    void derIsAsTheStandardWritesIt() {
        assertThat(hex(Der.identifier("1.2.840.10045.4.3.2"))).isEqualTo("06082a8648ce3d040302");
        assertThat(hex(Der.integer(BigInteger.valueOf(128)))).isEqualTo("02020080");
        assertThat(hex(Der.namedBits(0x04))).isEqualTo("03020204");
        assertThat(hex(Der.bool(true))).isEqualTo("0101ff");
        assertThat(hex(Der.octets(new byte[200]))).startsWith("0481c8");
        assertThat(hex(Der.octets(new byte[300]))).startsWith("0482012c");
        assertThat(new String(Der.time(NOW), 2, 13, StandardCharsets.US_ASCII)).isEqualTo("261121120000Z");
        assertThat(hex(Der.time(Instant.parse("2050-01-01T00:00:00Z")))).startsWith("180f");
    }

    @Test
    void certificatesFormAChainThatTheJdkAccepts() throws Exception {
        for (Role role : Role.values()) {
            X509Certificate certificate = credentials.issue(role, 7).certificate();
            certificate.verify(credentials.authority().getPublicKey());
            PKIXParameters trust = new PKIXParameters(Set.of(new TrustAnchor(credentials.authority(), null)));
            trust.setRevocationEnabled(false);
            trust.setDate(Date.from(NOW));
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)), trust);
            assertThat(Role.of(certificate)).contains(new Role.Holder(role, 7));
            assertThat(certificate.getVersion()).isEqualTo(3);
            assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
            assertThat(certificate.getNotBefore()).isEqualTo(Date.from(NOW.minus(Duration.ofDays(1))));
            assertThat(certificate.getNotAfter()).isEqualTo(Date.from(NOW.plus(Duration.ofDays(30))));
        }
        assertThat(credentials.authority().getBasicConstraints()).isZero();
        assertThat(Role.of(credentials.authority())).isEmpty();
    }

    @Test
    void anotherRunsAuthorityDidNotSignThem() {
        X509Certificate certificate = credentials.issue(Role.TESTER, 1).certificate();
        RunCredentials other = new RunCredentials(NOW, new SecureRandom());
        assertThatThrownBy(() -> certificate.verify(other.authority().getPublicKey()))
                .isInstanceOf(SignatureException.class);
    }

    @Test
    void onlyTheRunsTokenIsTheToken() {
        assertThat(credentials.token()).matches("[0-9a-f]{64}");
        assertThat(credentials.isToken(credentials.token())).isTrue();
        assertThat(credentials.isToken(credentials.token().substring(1))).isFalse();
        assertThat(credentials.isToken(new RunCredentials(NOW, new SecureRandom()).token()))
                .isFalse();
    }

    @Test
    void aTicketIsReadAsItWasWrittenAndShowsNoSecret() throws Exception {
        RunCredentials.Identity identity = credentials.issue(Role.TESTER, 3);
        Ticket ticket = new Ticket(
                3,
                List.of("head.site.org", "10.0.0.1"),
                20_000,
                credentials.authority(),
                identity.certificate(),
                identity.key(),
                credentials.token());
        assertThat(Ticket.parse("noise before\n" + ticket.write())).isEqualTo(ticket);
        assertThat(ticket.toString() + identity + credentials)
                .doesNotContain(
                        credentials.token(),
                        Base64.getEncoder().encodeToString(identity.key().getEncoded()));
    }

    @Test
    void keysThatWereWrittenDownMakeCertificatesOfTheSameRun() throws Exception {
        RunCredentials again = RunCredentials.parse(credentials.write(), NOW, new SecureRandom());
        assertThat(again.token()).isEqualTo(credentials.token());
        assertThat(again.authority()).isEqualTo(credentials.authority());
        again.issue(Role.TESTER, 9).certificate().verify(credentials.authority().getPublicKey());
        assertThat(again.issue(Role.TESTER, 9).certificate().getIssuerX500Principal())
                .isEqualTo(credentials.authority().getSubjectX500Principal());
        assertThatThrownBy(() -> RunCredentials.parse("token: x", NOW, new SecureRandom()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key");
    }

    @Test
    void aTicketThatIsCutOffOrOfAnotherVersionIsRefused() {
        RunCredentials.Identity identity = credentials.issue(Role.TESTER, 3);
        String text = new Ticket(
                        3,
                        List.of("host"),
                        20_000,
                        credentials.authority(),
                        identity.certificate(),
                        identity.key(),
                        credentials.token())
                .write();
        assertThatThrownBy(() -> Ticket.parse(text.substring(0, text.length() - 10)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("END DIPERF TICKET");
        assertThatThrownBy(() -> Ticket.parse(text.replace("version: 1", "version: 2")))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("version 1")
                .hasMessageContaining("version 2");
        assertThatThrownBy(() -> Ticket.parse(text.replace("key: ", "key: A"))).isInstanceOf(WireException.class);
    }
}
