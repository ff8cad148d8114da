package org.diperf.plugins.mds;

import java.io.InputStream;
import java.util.MissingResourceException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * What a message of WS-GRAM says.
 *
 * @param wellFormed whether it is XML to its end
 * @param name of the element in the body
 * @param namespace of that element
 * @param address of the job that was made, empty where there is none
 * @param key of that job
 * @param state that a notification tells
 */
record WsGramAnswer(boolean wellFormed, String name, String namespace, String address, String key, String state) {

    /** Of a text no more is kept. */
    private static final int MAX_TEXT = 2_048;

    private static final int MAX_DEPTH = 64;
    private static final int MAX_ELEMENTS = 10_000;

    static WsGramAnswer read(InputStream body, XMLInputFactory readers) {
        Reading reading = new Reading();
        boolean wellFormed = false;
        try {
            XMLStreamReader xml = readers.createXMLStreamReader(body);
            try {
                while (xml.hasNext() && reading.take(xml.next(), xml)) {
                    // the reading keeps what it needs
                }
                wellFormed = !xml.hasNext();
            } finally {
                xml.close();
            }
        } catch (XMLStreamException | MissingResourceException notWellFormed) {
            // For some of what is not well-formed the JDK's reader has no words.
        }
        return new WsGramAnswer(
                wellFormed,
                reading.name,
                reading.namespace,
                reading.address.toString().strip(),
                reading.key.toString().strip(),
                reading.state.toString().strip());
    }

    private static final class Reading {

        private final StringBuilder address = new StringBuilder();
        private final StringBuilder key = new StringBuilder();
        private final StringBuilder state = new StringBuilder();
        private String name = "";
        private String namespace = "";
        private int depth;
        private int elements;
        private int endpointDepth = -1;
        private boolean inBody;
        private String within = "";

        /** Takes what comes next; says whether it goes on. */
        boolean take(int event, XMLStreamReader xml) {
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> start(xml);
                case XMLStreamConstants.END_ELEMENT -> {
                    depth--;
                    within = "";
                    if (depth == endpointDepth) {
                        endpointDepth = -1;
                    }
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text(xml);
                default -> {}
            }
            return depth <= MAX_DEPTH && elements <= MAX_ELEMENTS;
        }

        private void start(XMLStreamReader xml) {
            within = xml.getLocalName();
            if (depth == 1) {
                inBody = within.equals("Body");
            } else if (depth == 2 && inBody && name.isEmpty()) {
                name = within;
                namespace = String.valueOf(xml.getNamespaceURI());
            }
            if (within.equals("managedJobEndpoint")) {
                endpointDepth = depth;
            }
            depth++;
            elements++;
        }

        private void text(XMLStreamReader xml) {
            if (endpointDepth >= 0 && within.equals("Address")) {
                keep(address, xml);
            } else if (endpointDepth >= 0 && within.equals("ResourceID")) {
                keep(key, xml);
            } else if (within.equals("state")) {
                keep(state, xml);
            }
        }

        private static void keep(StringBuilder kept, XMLStreamReader xml) {
            int room = MAX_TEXT - kept.length();
            if (room > 0) {
                kept.append(xml.getTextCharacters(), xml.getTextStart(), Math.min(room, xml.getTextLength()));
            }
        }
    }
}
