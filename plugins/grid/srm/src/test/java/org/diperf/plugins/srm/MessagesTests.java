package org.diperf.plugins.srm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.diperf.plugins.lib.netty.soap.XmlNode;
import org.diperf.plugins.srm.Messages.Message;
import org.diperf.plugins.srm.Messages.Put;
import org.diperf.plugins.srm.SrmSettings.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Our messages next to those that gfal2 2.21.3 (srm-ifce 1.24.6) sent in gfal2.txt, field by field. */
@Timeout(20)
class MessagesTests {

    private static final String GET = "srm://localhost/in/s1.bin";
    private static final String PUT = "srm://localhost/out/p1.bin";
    private static final Messages OURS =
            new Messages(List.of("gsiftp", "https", "root"), "PERMANENT", 3_600, -1, "", "");

    /** Requests of gfal2: head and body. */
    private static Map<String, List<String>> recorded() throws Exception {
        Map<String, List<String>> byAction = new LinkedHashMap<>();
        try (InputStream in = MessagesTests.class.getResourceAsStream("gfal2.txt")) {
            assertThat(in).isNotNull();
            for (String each : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("=====\n")) {
                if (!each.isBlank()) {
                    String action = each.replaceFirst("(?s).*SOAPAction: \"(\\w+)\".*", "$1");
                    byAction.computeIfAbsent(action, any -> new ArrayList<>())
                            .add(each.substring(each.indexOf("\n\n") + 2));
                }
            }
        }
        return byAction;
    }

    /** Writes a document as lines of paths, names with namespaces of those that have one, and texts. */
    private static List<String> fields(String xml) throws Exception {
        List<String> lines = new ArrayList<>();
        walk(
                XmlNode.read(new ByteArrayInputStream(xml.strip().getBytes(StandardCharsets.UTF_8)), Xml.readers())
                        .root(),
                "",
                lines);
        return lines;
    }

    private static void walk(XmlNode at, String path, List<String> into) {
        String here = path + "/" + (at.namespace() == null ? "" : "{" + at.namespace() + "}") + at.name();
        into.add(here + (at.children().isEmpty() ? "=" + at.text() : ""));
        at.children().forEach(each -> walk(each, here, into));
    }

    @Test
    void theyAreThoseOfGfal2FieldByField() throws Exception {
        Map<String, List<String>> theirs = recorded();
        List<Message> ours = List.of(
                OURS.ping(),
                OURS.ls(GET, 0, true),
                OURS.prepareToGet(List.of(GET)),
                OURS.status(Operation.GET, "stand-in-1"),
                OURS.releaseFiles("stand-in-1", GET),
                OURS.prepareToPut(List.of(new Put(PUT, 65_536))),
                OURS.status(Operation.PUT, "stand-in-2"),
                OURS.putDone("stand-in-2", PUT),
                OURS.abortRequest("stand-in-3"));
        for (Message message : ours) {
            assertThat(theirs).as(message.operation()).containsKey(message.action());
            assertThat(fields(message.body()))
                    .as(message.operation())
                    .isEqualTo(fields(theirs.get(message.action()).get(0)));
        }
    }

    @Test
    void whatIsNotAskedForIsNotSent() throws Exception {
        Messages all = new Messages(List.of("gsiftp"), "VOLATILE", 60, 30, "space", "ALWAYS");
        assertThat(fields(all.prepareToPut(List.of(new Put(PUT, 1))).body()))
                .anyMatch(line -> line.endsWith("/overwriteOption=ALWAYS"))
                .anyMatch(line -> line.endsWith("/desiredPinLifeTime=30"))
                .anyMatch(line -> line.endsWith("/targetSpaceToken=space"));
        assertThat(fields(OURS.prepareToPut(List.of(new Put(PUT, 1))).body()))
                .noneMatch(line -> line.contains("overwriteOption"));
    }

    @Test
    void namesMayHoldWhatXmlCannot() throws Exception {
        assertThat(fields(OURS.releaseFiles("<&>", "srm://h/a]]>\u0001b").body()))
                .anyMatch(line -> line.endsWith("requestToken=<&>"))
                .anyMatch(line -> line.endsWith("urlArray=srm://h/a]]>?b"));
    }
}
