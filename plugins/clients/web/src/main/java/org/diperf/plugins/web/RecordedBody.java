package org.diperf.plugins.web;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a request carries. */
sealed interface RecordedBody {

    String FORM = "application/x-www-form-urlencoded";
    String UPLOAD = "multipart/form-data";

    RecordedBody NONE = new Plain("");

    /** Returns what a type says stands between parts; empty: nothing. */
    static String boundary(String type) {
        Matcher boundary =
                Pattern.compile("(?i).*;\\s*boundary=\"?([^\";]+)\"?.*").matcher(type);
        return boundary.matches() ? boundary.group(1) : "";
    }

    /** @param text empty: nothing */
    record Plain(String text) implements RecordedBody {}

    /** @param path of a file on the tester */
    record Stored(String path) implements RecordedBody {}

    /** An upload, as {@code multipart/form-data}. */
    record Parts(List<Part> parts) implements RecordedBody {
        public Parts {
            parts = List.copyOf(parts);
        }

        /** Returns whether {@code multipart:} can say all of it: it has each name once, and the content of a part or its file. */
        boolean isPlain() {
            return parts.stream().map(Part::name).distinct().count() == parts.size()
                    && parts.stream()
                            .allMatch(part -> part.file().isEmpty()
                                    ? part.type().isEmpty()
                                    : part.content().isEmpty());
        }
    }

    /**
     * A part of an upload.
     *
     * @param content empty with a file: it is not known
     * @param file name of its file; empty: it is a text
     * @param type its media type; empty: it has none
     */
    record Part(String name, String content, String file, String type) {}
}
