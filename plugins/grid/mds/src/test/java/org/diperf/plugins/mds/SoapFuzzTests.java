package org.diperf.plugins.mds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that a server sends as SOAP. */
class SoapFuzzTests {

    private static final long MAX_BYTES = 16 << 20;

    static Stream<byte[]> bodies() {
        String begin = "<?xml version='1.0' encoding='UTF-8'?><e:Envelope xmlns:e='" + Xml.ENVELOPE + "'><e:Body>";
        String end = "</e:Body></e:Envelope>";
        return Stream.of(
                        begin + "<r:QueryResourcePropertiesResponse xmlns:r='" + Soap.RESOURCE_PROPERTIES
                                + "'><Entry a='1'/><Entry><![CDATA[x]]></Entry></r:QueryResourcePropertiesResponse>"
                                + end,
                        begin + "<e:Fault><faultcode>e:Server</faultcode><faultstring>no &lt;memory&gt; &#x41;"
                                + "</faultstring></e:Fault>" + end,
                        begin + "<e:Fault><faultcode>e:Server</faultcode><detail><UnableToQuery/></detail></e:Fault>"
                                + end,
                        begin + "<e:Fault><e:Code><e:Value>e:Sender</e:Value></e:Code><e:Reason><e:Text xml:lang='en'>"
                                + "no</e:Text></e:Reason></e:Fault>" + end,
                        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("bodies")
    @Fuzz
    void aBodyIsReadWhateverItIs(byte[] input) {
        Memory.atMost(MAX_BYTES, () -> {
            SoapResponse answer = SoapResponse.read(new ByteArrayInputStream(input), Xml.readers());
            assertThat(answer.entries()).isBetween(0, input.length);
            assertThat(answer.found() || answer.entries() == 0).isTrue();
            if (answer.fault() != null) {
                assertThat(answer.fault()).isNotEmpty();
            }
        });
    }
}
