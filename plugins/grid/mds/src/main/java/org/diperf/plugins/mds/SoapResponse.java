package org.diperf.plugins.mds;

import java.io.InputStream;
import java.util.MissingResourceException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * What an envelope says.
 *
 * @param wellFormed whether it is XML to its end
 * @param found whether it holds a {@code QueryResourcePropertiesResponse}
 * @param entries elements right below that
 * @param fault the first element of a fault's detail, or its code and reason; {@code null} where there is none
 */
record SoapResponse(
        boolean wellFormed,
        boolean found,
        int entries,
        @Nullable String fault) {

    private static final int MAX_REASON = 120;
    /** Of a fault's code and reason no more is kept: blanks before them do not count for long. */
    private static final int MAX_KEPT = 4_096;

    static SoapResponse read(InputStream body, XMLInputFactory readers) {
        Reading reading = new Reading();
        boolean wellFormed = false;
        try {
            XMLStreamReader xml = readers.createXMLStreamReader(body);
            try {
                while (xml.hasNext()) {
                    reading.take(xml.next(), xml);
                }
                wellFormed = true;
            } finally {
                xml.close();
            }
        } catch (XMLStreamException | MissingResourceException notWellFormed) {
            // What was read up to here may still hold a fault. For some of it the JDK's reader has no words.
        }
        return new SoapResponse(wellFormed, reading.found, reading.entries, reading.fault());
    }

    private static final class Reading {

        private int depth;
        private int responseDepth = -1;
        private int faultDepth = -1;
        private int detailDepth = -1;
        private boolean found;
        private int entries;
        private @Nullable String detail;
        private final StringBuilder code = new StringBuilder();
        private final StringBuilder reason = new StringBuilder();
        private String within = "";

        void take(int event, XMLStreamReader xml) {
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> start(xml.getLocalName());
                case XMLStreamConstants.END_ELEMENT -> end();
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text(xml);
                default -> {}
            }
        }

        private void start(String name) {
            if (responseDepth >= 0 && depth == responseDepth + 1) {
                entries++;
            } else if (faultDepth >= 0) {
                if (detailDepth >= 0 && depth == detailDepth + 1 && detail == null) {
                    detail = name;
                } else if (name.equalsIgnoreCase("detail") && depth == faultDepth + 1) {
                    detailDepth = depth;
                }
                within = detailDepth >= 0 ? "" : name;
            } else if (depth == 2 && name.equals("QueryResourcePropertiesResponse")) {
                responseDepth = depth;
                found = true;
            } else if (depth == 2 && name.equals("Fault")) {
                faultDepth = depth;
            }
            depth++;
        }

        private void end() {
            depth--;
            within = "";
            if (depth == responseDepth) {
                responseDepth = -1;
            }
        }

        private void text(XMLStreamReader xml) {
            // SOAP 1.1 says faultcode and faultstring, SOAP 1.2 Value and Text.
            if (within.equals("faultcode") || within.equals("Value")) {
                keep(code, xml);
            } else if (within.equals("faultstring") || within.equals("Text")) {
                keep(reason, xml);
            }
        }

        /** A text comes in as many pieces as the reader likes. */
        private static void keep(StringBuilder kept, XMLStreamReader xml) {
            int room = MAX_KEPT - kept.length();
            if (room > 0) {
                kept.append(xml.getTextCharacters(), xml.getTextStart(), Math.min(room, xml.getTextLength()));
            }
        }

        @Nullable
        String fault() {
            if (faultDepth < 0) {
                return null;
            }
            if (detail != null) {
                return detail;
            }
            String name = code.toString().strip();
            String local = name.substring(name.lastIndexOf(':') + 1);
            String why = reason.toString().strip();
            String all = why.isEmpty() ? local : local.isEmpty() ? why : local + ": " + why;
            return all.isEmpty() ? "no reason" : all.substring(0, Math.min(MAX_REASON, all.length()));
        }
    }
}
