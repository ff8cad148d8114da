package org.diperf.plugins.srm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.diperf.plugins.lib.netty.soap.XmlNode;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that a manager sends. */
class SrmResponseFuzzTests {

    private static final long MAX_BYTES = 64 << 20;

    static Stream<byte[]> bodies() {
        String ok = "<returnStatus><statusCode>SRM_SUCCESS</statusCode></returnStatus>";
        return Stream.of(
                        SrmResponseTests.response(
                                "PrepareToGet",
                                ok
                                        + "<requestToken>1</requestToken><arrayOfFileStatuses><statusArray><sourceSURL>srm://h/a"
                                        + "</sourceSURL><status><statusCode>SRM_FILE_PINNED</statusCode></status>"
                                        + "<estimatedWaitTime>7</estimatedWaitTime><transferURL>gsiftp://g/a</transferURL>"
                                        + "</statusArray></arrayOfFileStatuses>"),
                        SrmResponseTests.response(
                                "PrepareToGet",
                                ok + "<details><pathDetailArray id='a'><arrayOfSubPaths><pathDetailArray href='#a'/>"
                                        + "</arrayOfSubPaths></pathDetailArray></details>"),
                        SrmResponseTests.envelope(
                                "<s:Fault><faultcode>s:Client</faultcode><faultstring>&#x41;<![CDATA[x]]>"
                                        + "</faultstring></s:Fault>"),
                        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("bodies")
    @Fuzz
    void aBodyIsReadOrRefused(byte[] input) {
        Memory.atMost(MAX_BYTES, () -> {
            try {
                SrmResponse answer =
                        SrmResponse.read("PrepareToGet", 200, new ByteArrayInputStream(input), Xml.readers());
                assertThat(answer.code()).isNotEmpty();
                assertThat(answer.entries()).isBetween(0, XmlNode.MAX_ELEMENTS);
                assertThat(answer.files()).hasSizeLessThanOrEqualTo(input.length);
            } catch (MalformedXmlException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        });
    }
}
