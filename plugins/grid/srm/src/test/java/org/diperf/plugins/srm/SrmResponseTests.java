package org.diperf.plugins.srm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.diperf.plugins.srm.SrmResponse.FileStatus;
import org.diperf.plugins.srm.SrmSettings.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(20)
class SrmResponseTests {

    static String envelope(String body) {
        return "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/' xmlns:r='" + Messages.NAMESPACE
                + "' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><s:Body>" + body + "</s:Body></s:Envelope>";
    }

    static String response(String operation, String content) {
        String name = "srm" + operation + "Response";
        return envelope("<r:" + name + "><" + name + ">" + content + "</" + name + "></r:" + name + ">");
    }

    private static SrmResponse read(String operation, int status, String body) throws Exception {
        return SrmResponse.read(
                operation, status, new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), Xml.readers());
    }

    private static final String OK = "<returnStatus><statusCode>SRM_SUCCESS</statusCode></returnStatus>";

    @Test
    void aPinnedFileHasATransferUrlAndAQueuedOneAWait() throws Exception {
        SrmResponse answer = read(
                "PrepareToGet",
                200,
                response(
                        "PrepareToGet",
                        "<returnStatus><statusCode>SRM_REQUEST_QUEUED</statusCode></returnStatus><requestToken> t </requestToken>"
                                + "<arrayOfFileStatuses><statusArray><sourceSURL>srm://h/a</sourceSURL><status><statusCode>"
                                + "SRM_FILE_PINNED</statusCode></status><transferURL>gsiftp://g/a</transferURL></statusArray>"
                                + "<statusArray><sourceSURL>srm://h/b</sourceSURL><status><statusCode>SRM_REQUEST_QUEUED"
                                + "</statusCode></status><estimatedWaitTime>7</estimatedWaitTime><transferURL xsi:nil='true'/>"
                                + "</statusArray></arrayOfFileStatuses>"));
        assertThat(answer.isWaiting()).isTrue();
        assertThat(answer.token()).isEqualTo("t");
        assertThat(answer.files())
                .containsExactly(
                        new FileStatus("srm://h/a", "SRM_FILE_PINNED", -1, "gsiftp://g/a", 0),
                        new FileStatus("srm://h/b", "SRM_REQUEST_QUEUED", 7, "", 0));
    }

    @Test
    void theSizeOfACopyIsReadWhereItIsANumberThatAFileMayHave() throws Exception {
        for (String size : List.of("12", "-1", "99999999999999999999", "many", "")) {
            String file = "<arrayOfFileStatuses><statusArray><sourceSURL>srm://h/a</sourceSURL><targetSURL>srm://h/b"
                    + "</targetSURL><status><statusCode>SRM_SUCCESS</statusCode></status><fileSize>" + size
                    + "</fileSize></statusArray></arrayOfFileStatuses>";
            SrmResponse answer = read("Copy", 200, response("Copy", OK + file));
            assertThat(answer.files())
                    .containsExactly(new FileStatus("srm://h/a", "SRM_SUCCESS", -1, "", size.equals("12") ? 12 : 0));
            assertThat(answer.files().get(0).isReady(Operation.COPY)).isTrue();
            assertThat(answer.files().get(0).isReady(Operation.GET))
                    .as("nowhere")
                    .isFalse();
        }
    }

    @Test
    void referencesOfSoapEncodingAreFollowed() throws Exception {
        String body = envelope("<r:srmPutDoneResponse><srmPutDoneResponse href='#id0'/></r:srmPutDoneResponse>"
                + "<multiRef id='id0'><returnStatus href='#id1'/></multiRef>"
                + "<multiRef id='id1'><statusCode>SRM_SUCCESS</statusCode></multiRef>");
        assertThat(read("PutDone", 200, body).isSuccess()).isTrue();
    }

    @Test
    void aListingCountsWhatIsBelow() throws Exception {
        String body = response(
                "Ls",
                OK + "<details><pathDetailArray><arrayOfSubPaths><pathDetailArray/><pathDetailArray/></arrayOfSubPaths>"
                        + "</pathDetailArray></details>");
        assertThat(read("Ls", 200, body).entries()).isEqualTo(3);
    }

    static Stream<Arguments> hostile() {
        StringBuilder bomb = new StringBuilder("<!DOCTYPE b [<!ENTITY a0 'ha'>");
        for (int i = 1; i < 30; i++) {
            bomb.append("<!ENTITY a" + i + " '&a" + (i - 1) + ";&a" + (i - 1) + ";'>");
        }
        String whole = response("PutDone", OK);
        String loop = envelope("<r:srmPutDoneResponse><srmPutDoneResponse href='#a'/></r:srmPutDoneResponse>"
                + "<m id='a' href='#b'/><m id='b' href='#a'/>");
        return Stream.of(
                Arguments.of("entities in entities", 200, bomb + "]><b>&a29;</b>", "XML with a document type"),
                Arguments.of(
                        "a file",
                        200,
                        "<!DOCTYPE b [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><b>&f;</b>",
                        "XML with a document type"),
                Arguments.of("half of it", 200, whole.substring(0, whole.length() / 2), "malformed XML"),
                Arguments.of("nothing", 200, "", "malformed XML"),
                Arguments.of("no XML", 200, "busy, come back later", "malformed XML"),
                Arguments.of("two roots", 200, "<a/><b/>", "malformed XML"),
                Arguments.of("depth", 200, "<a>".repeat(100_000), "XML too deep or too large"),
                Arguments.of("width", 200, "<a>" + "<b/>".repeat(300_000) + "</a>", "XML too deep or too large"),
                Arguments.of("an HTML page", 503, "<html><body>no</body>", "status 503"),
                Arguments.of("another page", 404, "<html><body>no</body></html>", "status 404"),
                Arguments.of("no envelope", 200, "<a/>", "no srmPutDoneResponse"),
                Arguments.of("no body", 200, envelope("").replace("<s:Body></s:Body>", ""), "no srmPutDoneResponse"),
                Arguments.of("another operation", 200, response("Ls", OK), "no srmPutDoneResponse"),
                Arguments.of("SRM 1", 200, whole.replace(Messages.NAMESPACE, "urn:v1"), "another version of SRM"),
                Arguments.of("no namespace", 200, whole.replace("r:srm", "srm"), "another version of SRM"),
                Arguments.of("empty", 200, envelope("<r:srmPutDoneResponse/>"), "an empty srmPutDoneResponse"),
                Arguments.of("no status", 200, response("PutDone", ""), "no returnStatus"),
                Arguments.of(
                        "nil status", 200, response("PutDone", "<returnStatus xsi:nil='true'/>"), "no returnStatus"),
                Arguments.of("references in a ring", 200, loop, "no returnStatus"),
                Arguments.of("a reference to nothing", 200, loop.replace("#b", "#z"), "no returnStatus"),
                Arguments.of(
                        "a fault",
                        500,
                        envelope("<s:Fault><faultcode>s:Client</faultcode><faultstring>no</faultstring></s:Fault>"),
                        "fault: Client: no"),
                Arguments.of("a fault without words", 500, envelope("<s:Fault/>"), "fault: no reason"),
                Arguments.of(
                        "a fault that talks",
                        500,
                        envelope("<s:Fault><faultstring>" + "x".repeat(9_999) + "</faultstring></s:Fault>"),
                        "fault: " + "x".repeat(120)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostile")
    void whatIsNoAnswerHasAKindOfItsOwn(String what, int status, String body, String kind) {
        assertThatThrownBy(() -> read("PutDone", status, body))
                .isInstanceOf(MalformedXmlException.class)
                .hasMessage(kind);
    }

    @Test
    void aStatusThatIsNoneOfTheStandardIsOneKind() throws Exception {
        String body = response(
                "PutDone", "<returnStatus><statusCode>" + "oh no 123 ".repeat(99) + "</statusCode></returnStatus>");
        assertThat(read("PutDone", 200, body).code()).isEqualTo("an unknown status");
    }
}
