package org.diperf.plugins.lib.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GsiFailuresTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(certificate_unknown) Received fatal alert: certificate_unknown | the server refused the credential: no reason given",
                "error:10000415:SSL routines:OPENSSL_internal:SSLV3_ALERT_CERTIFICATE_EXPIRED | the server refused the credential: expired",
                "error:10000418:SSL routines:OPENSSL_internal:TLSV1_ALERT_UNKNOWN_CA | the server refused the credential: unknown CA",
                "Received fatal alert: bad_certificate | the server refused the credential: bad certificate",
                "error:10000410:SSL routines:OPENSSL_internal:SSLV3_ALERT_HANDSHAKE_FAILURE | the server ended the handshake: handshake failure",
                "error:100000f0:SSL routines:OPENSSL_internal:UNSUPPORTED_PROTOCOL | unsupported protocol",
                "error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER | the server does not speak TLS",
                "Unsupported or unrecognized SSL message | the server does not speak TLS",
                "the peer closed the context | the peer closed the context",
            })
    void whatTheLibrariesSayIsToldInWords(String message, String told) {
        assertThat(GsiFailures.of(new SSLException(message)).kind()).isEqualTo("GSI: " + told);
    }

    @Test
    void bytesThatAreNoTlsAreNotTold() {
        assertThat(GsiFailures.of(new NotSslRecordException("not an SSL/TLS record: 3c21444f43"))
                        .kind())
                .isEqualTo("GSI: the server does not speak TLS");
    }

    @Test
    void aCertificateThatHasEndedIsToldToHave() {
        SSLException failure = new SSLHandshakeException("NotAfter: Thu Jan 01 00:00:00 UTC 1970");
        failure.initCause(new CertificateExpiredException("NotAfter: Thu Jan 01 00:00:00 UTC 1970"));
        assertThat(GsiFailures.of(failure).kind()).isEqualTo("GSI: certificate expired");
    }
}
