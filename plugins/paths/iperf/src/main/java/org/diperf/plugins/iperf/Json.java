package org.diperf.plugins.iperf;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Objects of the protocol as text: maps of numbers, texts, truth values, lists and maps. */
final class Json {

    private static final int MAX_DEPTH = 8;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private Json() {}

    /**
     * Reads an object.
     *
     * @throws MalformedMessageException when the text is none
     */
    static Map<String, Object> read(String text) throws MalformedMessageException {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                return object(parser);
            }
        } catch (JacksonException e) {
            // said below: its own words hold what was sent
        }
        throw new MalformedMessageException("malformed JSON");
    }

    private static Map<String, Object> object(JsonParser parser) {
        Map<String, Object> read = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            Object value = value(parser);
            if (value != null) {
                read.put(name, value);
            }
        }
        return read;
    }

    private static @Nullable Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> list(parser);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_STRING -> parser.getString();
            default -> null;
        };
    }

    private static List<Object> list(JsonParser parser) {
        List<Object> read = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Object value = value(parser);
            if (value != null) {
                read.add(value);
            }
        }
        return read;
    }

    /** Writes an object of numbers, texts, truth values and lists of such objects. */
    static String write(Map<String, ?> object) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(generator, object);
        }
        return text.toString();
    }

    private static void write(JsonGenerator generator, Object value) {
        if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            map.forEach((name, each) -> {
                generator.writeName(String.valueOf(name));
                write(generator, each);
            });
            generator.writeEndObject();
        } else if (value instanceof List<?> list) {
            generator.writeStartArray();
            list.forEach(each -> write(generator, each));
            generator.writeEndArray();
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Double number) {
            generator.writeNumber(number);
        } else if (value instanceof Number number) {
            generator.writeNumber(number.longValue());
        } else {
            generator.writeString(String.valueOf(value));
        }
    }

    /** Returns a number, or what to take where there is none. */
    static double number(Map<?, ?> object, String name, double otherwise) {
        return object.get(name) instanceof Double number ? number : otherwise;
    }

    /** Returns a number as {@link #number}, rounded and within the range of a {@code long}. */
    static long whole(Map<?, ?> object, String name, long otherwise) {
        return object.get(name) instanceof Double number ? Math.round(number) : otherwise;
    }

    /** Returns whether a value is given and is {@code true}. */
    static boolean truth(Map<?, ?> object, String name) {
        return Boolean.TRUE.equals(object.get(name));
    }
}
