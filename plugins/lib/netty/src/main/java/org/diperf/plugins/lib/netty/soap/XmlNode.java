package org.diperf.plugins.lib.netty.soap;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.MissingResourceException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * An element of an answer: its name without prefix, its text, and what is below it. Documents have no document type, hence no
 * entities of their own, and are bounded in depth and in elements. Confined to one thread.
 */
public final class XmlNode {

    public static final int MAX_DEPTH = 64;
    public static final int MAX_ELEMENTS = 200_000;
    private static final int MAX_REFERENCES = 8;
    private static final int MAX_REASON = 120;
    private static final String INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

    private final String name;
    private final @Nullable String namespace;
    private final StringBuilder text = new StringBuilder(0);
    private final List<XmlNode> children = new ArrayList<>(2);
    private @Nullable String href;
    private boolean nil;

    private XmlNode(String name, @Nullable String namespace) {
        this.name = name;
        this.namespace = namespace;
    }

    /** It is not XML, or none of an answer; the message is a kind of failure. */
    public static final class MalformedXmlException extends Exception {

        private static final long serialVersionUID = 1;

        public MalformedXmlException(String kind) {
            super(kind);
        }
    }

    /** A document, with the elements that others refer to by {@code href} (SOAP 1.1, section 5.4). */
    public record Document(XmlNode root, Map<String, XmlNode> named) {

        /** Follows references to the element that is meant, itself for one without. */
        public XmlNode meant(XmlNode node) {
            XmlNode at = node;
            for (int i = 0; i < MAX_REFERENCES && at.href != null; i++) {
                XmlNode next = named.get(at.href);
                if (next == null) {
                    return at;
                }
                at = next;
            }
            return at;
        }

        /** Finds the first element of a name below another, {@code null} where there is none or it says that it is nil. */
        public @Nullable XmlNode child(@Nullable XmlNode of, String name) {
            if (of != null) {
                for (XmlNode each : of.children) {
                    if (each.name.equals(name)) {
                        XmlNode meant = meant(each);
                        return meant.nil ? null : meant;
                    }
                }
            }
            return null;
        }

        /** Lists the elements of a name below another. */
        public List<XmlNode> children(@Nullable XmlNode of, String name) {
            List<XmlNode> found = new ArrayList<>();
            if (of != null) {
                for (XmlNode each : of.children) {
                    if (each.name.equals(name)) {
                        found.add(meant(each));
                    }
                }
            }
            return found;
        }

        /** Returns what a fault of SOAP 1.1 says: its code without prefix and its reason, cut where that is long. */
        public String reason(XmlNode fault) {
            String code = text(fault, "faultcode");
            String local = code.substring(code.lastIndexOf(':') + 1);
            String why = text(fault, "faultstring");
            String all = why.isEmpty() ? local : local.isEmpty() ? why : local + ": " + why;
            return all.isEmpty() ? "no reason" : all.substring(0, Math.min(MAX_REASON, all.length()));
        }

        /** Returns the text of an element below another, empty where there is none. */
        public String text(@Nullable XmlNode of, String name) {
            XmlNode found = child(of, name);
            return found == null ? "" : found.text();
        }
    }

    /**
     * Reads a document.
     *
     * @throws MalformedXmlException when it is none, or a larger one than any answer is
     */
    public static Document read(InputStream in, XMLInputFactory readers) throws MalformedXmlException {
        try {
            XMLStreamReader xml = readers.createXMLStreamReader(in);
            try {
                return read(xml);
            } finally {
                xml.close();
            }
        } catch (XMLStreamException | MissingResourceException e) {
            // For some of what is no XML the JDK's reader has no words.
            throw new MalformedXmlException("malformed XML");
        }
    }

    private static Document read(XMLStreamReader xml) throws XMLStreamException, MalformedXmlException {
        List<XmlNode> path = new ArrayList<>();
        Map<String, XmlNode> named = new HashMap<>();
        XmlNode root = null;
        int elements = 0;
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.DTD -> throw new MalformedXmlException("XML with a document type");
                case XMLStreamConstants.START_ELEMENT -> {
                    if (path.size() >= MAX_DEPTH || ++elements > MAX_ELEMENTS) {
                        throw new MalformedXmlException("XML too deep or too large");
                    }
                    XmlNode made = started(xml, named);
                    if (path.isEmpty()) {
                        root = made;
                    } else {
                        path.get(path.size() - 1).children.add(made);
                    }
                    path.add(made);
                }
                case XMLStreamConstants.END_ELEMENT -> path.remove(path.size() - 1);
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                    path.get(path.size() - 1)
                            .text
                            .append(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
                default -> {}
            }
        }
        if (root == null) {
            throw new MalformedXmlException("malformed XML");
        }
        return new Document(root, named);
    }

    private static XmlNode started(XMLStreamReader xml, Map<String, XmlNode> named) {
        XmlNode made = new XmlNode(xml.getLocalName(), xml.getNamespaceURI());
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            String value = xml.getAttributeValue(i);
            switch (xml.getAttributeLocalName(i)) {
                case "id" -> named.putIfAbsent("#" + value, made);
                case "href" -> made.href = value;
                case "nil" ->
                    made.nil = INSTANCE.equals(xml.getAttributeNamespace(i))
                            && (value.equals("true") || value.equals("1"));
                default -> {}
            }
        }
        return made;
    }

    /** Returns the name without a prefix. */
    public String name() {
        return name;
    }

    /** Returns the namespace; {@code null}: none. */
    public @Nullable String namespace() {
        return namespace;
    }

    /** Returns the text, without blanks around it. */
    public String text() {
        return text.toString().strip();
    }

    /** Lists all elements below. */
    public List<XmlNode> children() {
        return children;
    }
}
