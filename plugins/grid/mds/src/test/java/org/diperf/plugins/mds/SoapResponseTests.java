package org.diperf.plugins.mds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.diperf.core.fuzz.Memory;
import org.diperf.plugins.lib.netty.HttpClientConnection;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SoapResponseTests {

    private static SoapResponse fault(String code, String reason) {
        String envelope = "<e:Envelope xmlns:e='" + Xml.ENVELOPE + "'><e:Body><e:Fault><faultcode>" + code
                + "</faultcode><faultstring>" + reason + "</faultstring></e:Fault></e:Body></e:Envelope>";
        return SoapResponse.read(new ByteArrayInputStream(envelope.getBytes(StandardCharsets.UTF_8)), Xml.readers());
    }

    @Test
    void aFaultIsItsCodeAndReason() {
        assertThat(fault(" e:Server ", " out of\n memory ").fault()).isEqualTo("Server: out of\n memory");
        assertThat(fault("e:Server", "").fault()).isEqualTo("Server");
        assertThat(fault("", "").fault()).isEqualTo("no reason");
    }

    /** The JDK's reader has no words for a NUL in a document type, and throws something else than for other malformed XML. */
    @Test
    void aNulInADocumentTypeIsMalformedAsAnyOther() {
        byte[] body = "<!DOCTYPE a [\0]><a/>".getBytes(StandardCharsets.UTF_8);
        SoapResponse answer = SoapResponse.read(new ByteArrayInputStream(body), Xml.readers());
        assertThat(answer.wellFormed()).isFalse();
        assertThat(answer.fault()).isNull();
    }

    @Test
    @Timeout(20)
    void elementsWithinElementsAreReadToALimitedDepth() {
        byte[] body = "<a>".repeat(HttpClientConnection.MAX_BODY_BYTES / 3).getBytes(StandardCharsets.UTF_8);
        Memory.atMost(1 << 20, () -> {
            SoapResponse answer = SoapResponse.read(new ByteArrayInputStream(body), Xml.readers());
            assertThat(answer.wellFormed()).isFalse();
        });
        String deep = "<a>".repeat(256) + "</a>".repeat(256);
        assertThat(SoapResponse.read(new ByteArrayInputStream(deep.getBytes(StandardCharsets.UTF_8)), Xml.readers())
                        .wellFormed())
                .isTrue();
    }

    /** A text comes in pieces; adding each to the one before would take minutes, on an event loop. */
    @Test
    @Timeout(5)
    void aFaultOfMegabytesIsReadAtOnce() {
        String reason = "&lt;no memory&gt;\n".repeat((4 << 20) / 16);
        SoapResponse answer = fault("e:Server", reason);
        assertThat(answer.wellFormed()).isTrue();
        assertThat(answer.fault()).startsWith("Server: <no memory>").hasSize(120);
    }
}
