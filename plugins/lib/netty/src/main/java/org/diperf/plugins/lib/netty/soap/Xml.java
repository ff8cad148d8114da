package org.diperf.plugins.lib.netty.soap;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.xml.stream.XMLInputFactory;

/** Writes and reads XML, and the HTTP around it. */
public final class Xml {

    /** The namespace of SOAP 1.1. */
    public static final String ENVELOPE = "http://schemas.xmlsoap.org/soap/envelope/";

    private static final String MAX_DEPTH = "256";

    private Xml() {}

    /** Makes what reads XML: with namespaces, to a limited depth, without document types and what they could lead to. For one thread. */
    public static XMLInputFactory readers() {
        XMLInputFactory made = XMLInputFactory.newDefaultFactory();
        made.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        made.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        // Of each element that is open it keeps many times the bytes that began it.
        made.setProperty("jdk.xml.maxElementDepth", MAX_DEPTH);
        return made;
    }

    /** Writes text as it may stand in an element or between quotes; what XML cannot hold becomes a question mark. */
    public static void escape(String text, StringBuilder into) {
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> into.append("&lt;");
                case '>' -> into.append("&gt;");
                case '&' -> into.append("&amp;");
                case '"' -> into.append("&quot;");
                case '\t', '\n', '\r' -> into.append("&#").append(c).append(';');
                default -> {
                    boolean holds = c >= 0x20 && (c < 0xd800 || c > 0xdfff) && c != 0xfffe && c != 0xffff;
                    into.appendCodePoint(holds ? c : '?');
                }
            }
        });
    }

    /**
     * Returns an HTTP request that carries an envelope of SOAP 1.1.
     *
     * @param authority host and port for the Host header
     * @param keep whether the connection is kept
     */
    public static byte[] post(String authority, String path, String action, boolean keep, byte[] content) {
        byte[] head = ("POST " + path + " HTTP/1.1\r\nHost: " + authority
                        + "\r\nUser-Agent: diperf\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"" + action
                        + "\"\r\nConnection: " + (keep ? "keep-alive" : "close") + "\r\nContent-Length: "
                        + content.length + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(head, head.length + content.length);
        System.arraycopy(content, 0, all, head.length, content.length);
        return all;
    }
}
