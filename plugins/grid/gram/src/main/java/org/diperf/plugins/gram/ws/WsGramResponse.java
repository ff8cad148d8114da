package org.diperf.plugins.gram.ws;

import java.io.InputStream;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import org.diperf.plugins.lib.netty.soap.XmlNode;
import org.diperf.plugins.lib.netty.soap.XmlNode.Document;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.jspecify.annotations.Nullable;

/**
 * What a message of WS-GRAM says.
 *
 * @param fault the first element of a fault's detail, or its code and reason; {@code null}: it is no fault
 * @param name of the element in the body, empty where there is none
 * @param namespace of that element
 * @param address of the job that was made, empty where there is none
 * @param key of that job
 * @param state that a notification tells
 */
record WsGramResponse(@Nullable String fault, String name, String namespace, String address, String key, String state) {

    /** @throws MalformedXmlException when it is no XML, or a larger one than any message is */
    static WsGramResponse read(InputStream body, XMLInputFactory readers) throws MalformedXmlException {
        Document document = XmlNode.read(body, readers);
        XmlNode content = document.child(document.root(), "Body");
        XmlNode message = content == null || content.children().isEmpty()
                ? null
                : content.children().get(0);
        XmlNode endpoint = find(content, "managedJobEndpoint");
        XmlNode fault = document.child(content, "Fault");
        return new WsGramResponse(
                fault == null ? null : fault(document, fault),
                message == null ? "" : message.name(),
                message == null ? "" : String.valueOf(message.namespace()),
                text(find(endpoint, "Address")),
                text(find(endpoint, "ResourceID")),
                text(find(content, "state")));
    }

    private static String fault(Document document, XmlNode fault) {
        XmlNode detail = document.child(fault, "detail");
        List<XmlNode> causes = detail == null ? List.of() : detail.children();
        return causes.isEmpty() ? document.reason(fault) : causes.get(0).name();
    }

    private static @Nullable XmlNode find(@Nullable XmlNode within, String name) {
        if (within == null || within.name().equals(name)) {
            return within;
        }
        for (XmlNode each : within.children()) {
            XmlNode found = find(each, name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static String text(@Nullable XmlNode node) {
        return node == null ? "" : node.text();
    }
}
