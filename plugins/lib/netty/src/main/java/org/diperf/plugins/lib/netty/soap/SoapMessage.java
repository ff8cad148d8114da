package org.diperf.plugins.lib.netty.soap;

import java.io.InputStream;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import org.diperf.plugins.lib.netty.soap.XmlNode.Document;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.jspecify.annotations.Nullable;

/**
 * An envelope of SOAP 1.1, as large as {@link XmlNode} allows.
 *
 * @param body {@code null}: it has none
 */
public record SoapMessage(Document document, @Nullable XmlNode body) {

    /** @throws MalformedXmlException when it is no XML, or a larger one than any message is */
    public static SoapMessage read(InputStream in, XMLInputFactory readers) throws MalformedXmlException {
        Document document = XmlNode.read(in, readers);
        return new SoapMessage(document, document.child(document.root(), "Body"));
    }

    /** Returns the first element of the body; {@code null}: it is empty. */
    public @Nullable XmlNode content() {
        return body == null || body.children().isEmpty()
                ? null
                : body.children().get(0);
    }

    /** Returns whether the body begins with an element of this name. */
    public boolean is(String name) {
        XmlNode content = content();
        return content != null && content.name().equals(name);
    }

    /** Returns the first element of a fault's detail, or the fault's code and reason; {@code null}: it is no fault. */
    public @Nullable String fault() {
        XmlNode fault = document.child(body, "Fault");
        if (fault == null) {
            return null;
        }
        XmlNode detail = document.child(fault, "detail");
        List<XmlNode> causes = detail == null ? List.of() : detail.children();
        return causes.isEmpty() ? document.reason(fault) : causes.get(0).name();
    }

    /** Finds the first element of a name within another, itself included; {@code null}: there is none. */
    public static @Nullable XmlNode find(@Nullable XmlNode within, String name) {
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

    /** Returns the text of the first element of a name within another, empty where there is none. */
    public static String text(@Nullable XmlNode within, String name) {
        XmlNode found = find(within, name);
        return found == null ? "" : found.text();
    }
}
