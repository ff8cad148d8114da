package org.diperf.plugins.grpc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Reads JSON into maps, lists, texts, numbers, booleans and nothing. */
final class Json {

    private static final int MAX_DEPTH = 100;

    static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private Json() {}

    /**
     * @throws IllegalArgumentException where it is none; names the place
     */
    static @Nullable Object read(String text) {
        try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (in.nextToken() == null) {
                throw new IllegalArgumentException("expected JSON, got nothing");
            }
            Object value = value(in);
            if (in.nextToken() != null) {
                throw new IllegalArgumentException("expected JSON, got trailing text: " + in.getString());
            }
            return value;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("expected JSON, got something else: " + e.getOriginalMessage(), e);
        }
    }

    private static @Nullable Object value(JsonParser in) {
        return switch (in.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = in.currentName();
                    in.nextToken();
                    object.put(name, value(in));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(in));
                }
                yield list;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getDecimalValue();
            case VALUE_TRUE, VALUE_FALSE -> in.getBooleanValue();
            case VALUE_STRING -> in.getString();
            default -> null;
        };
    }
}
