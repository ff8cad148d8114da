package org.diperf.tester.engine.call;

import java.util.Locale;
import java.util.regex.Matcher;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.OneLine;
import org.diperf.core.spi.Regex;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** What of an answer is kept for later calls, or checked. Immutable. */
sealed interface Capture {

    /**
     * Finds the value.
     *
     * @return {@code null} where the answer has none
     */
    @Nullable
    String of(Answer answer);

    /**
     * Makes one from its text.
     *
     * @param text {@code json:/POINTER}, {@code header:NAME}, {@code cookie:NAME} or {@code regex:REGEX}
     * @throws IllegalArgumentException for any other
     */
    static Capture parse(String text) {
        int colon = text.indexOf(':');
        String rest = text.substring(colon + 1);
        return switch (colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "json" -> new Json(JsonPointer.compile(rest));
            case "header" -> new Header(rest.strip());
            case "cookie" -> new Cookie(rest.strip());
            case "regex" -> new Match(Regex.compile(rest));
            default ->
                throw new IllegalArgumentException(
                        "expected json:/POINTER, header:NAME, cookie:NAME or regex:REGEX, got '" + text + "'");
        };
    }

    /** A part of the answer as it is. */
    enum Part implements Capture {
        STATUS {
            @Override
            public String of(Answer answer) {
                return answer.status();
            }
        },
        BODY {
            @Override
            public String of(Answer answer) {
                return answer.body();
            }
        },
        /** {@code ok}, or what the answer of a GraphQL service says is wrong, or what keeps it from being such an answer. */
        GRAPHQL {
            @Override
            public String of(Answer answer) {
                String errors = ERRORS.of(answer);
                String first = FIRST_ERROR.of(answer);
                if (errors != null && (first != null || !errors.startsWith("["))) {
                    String message = FIRST_MESSAGE.of(answer);
                    return OneLine.of(message != null ? message : first != null ? first : errors, LONGEST_ERROR);
                }
                return DATA.of(answer) == null ? "the answer has neither data nor errors" : "ok";
            }
        },
        SIZE {
            @Override
            public String of(Answer answer) {
                return Long.toString(answer.size());
            }
        };

        private static final int LONGEST_ERROR = 120;
        private static final Capture DATA = Capture.parse("json:/data");
        private static final Capture ERRORS = Capture.parse("json:/errors");
        private static final Capture FIRST_ERROR = Capture.parse("json:/errors/0");
        private static final Capture FIRST_MESSAGE = Capture.parse("json:/errors/0/message");
    }

    /** A value of a JSON document, by its pointer (RFC 6901): objects and arrays as they are written; {@code null} is none. */
    record Json(JsonPointer pointer) implements Capture {

        private static final JsonFactory FACTORY = new JsonFactory();

        @Override
        public @Nullable String of(Answer answer) {
            try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), answer.body())) {
                JsonPointer rest = pointer;
                JsonToken at = parser.nextToken();
                while (at != null && !rest.matches()) {
                    at = switch (at) {
                        case START_OBJECT -> property(parser, rest.getMatchingProperty());
                        case START_ARRAY -> element(parser, rest.getMatchingIndex());
                        default -> null;
                    };
                    rest = rest.tail();
                }
                if (at == null || at == JsonToken.VALUE_NULL || at.isStructEnd()) {
                    return null;
                }
                return at.isScalarValue() ? parser.getString() : whole(parser, answer.body());
            } catch (JacksonException notJson) {
                return null;
            }
        }

        /** Returns an object or an array as it is written. */
        private static String whole(JsonParser parser, String body) {
            int from = (int) parser.currentTokenLocation().getCharOffset();
            parser.skipChildren();
            return body.substring(from, (int) parser.currentLocation().getCharOffset());
        }

        /** Goes to a value of an object; {@code null}: it has none of that name. */
        private static @Nullable JsonToken property(JsonParser parser, String name) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isWanted = parser.currentName().equals(name);
                JsonToken value = parser.nextToken();
                if (isWanted) {
                    return value;
                }
                parser.skipChildren();
            }
            return null;
        }

        /** Goes to an element of an array, or to its end where it has not so many, or the pointer names no place. */
        private static @Nullable JsonToken element(JsonParser parser, int place) {
            JsonToken value = parser.nextToken();
            for (int i = 0; i != place && value != JsonToken.END_ARRAY && value != null; i++) {
                parser.skipChildren();
                value = parser.nextToken();
            }
            return value;
        }
    }

    /** A field of the header. */
    record Header(String name) implements Capture {

        @Override
        public @Nullable String of(Answer answer) {
            return answer.header(name);
        }
    }

    /** The value of a cookie that the answer sets (RFC 6265), without its attributes; the last one of that name. */
    record Cookie(String name) implements Capture {

        @Override
        public @Nullable String of(Answer answer) {
            String found = null;
            for (String set : answer.headers("Set-Cookie")) {
                String pair = set.substring(0, set.indexOf(';') < 0 ? set.length() : set.indexOf(';'));
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                    found = pair.substring(equals + 1).strip();
                }
            }
            return found;
        }
    }

    /** What a regular expression finds in the body: its first group, or all of it where it has none. */
    record Match(Regex regex) implements Capture {

        @Override
        public @Nullable String of(Answer answer) {
            Matcher matcher = regex.find(answer.body());
            return matcher == null ? null : matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
        }
    }
}
