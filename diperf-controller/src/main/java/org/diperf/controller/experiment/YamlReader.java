package org.diperf.controller.experiment;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads one YAML document into {@link Node}s, with the place of each, and fills in <code>${env:NAME}</code>. Confined
 * to one thread, used once.
 */
final class YamlReader {

    private static final int DEEPEST = 50;
    /** An escaped placeholder, which stays, or one of the environment. */
    private static final Pattern ENVIRONMENT = Pattern.compile("\\$\\$\\{|\\$\\{env:([^}]*)}");

    private static final Pattern STUCK = Pattern.compile("(?m)^ in .*line ([0-9]{1,7}), column ([0-9]{1,7})");

    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]{1,18}|[-+]?[0-9]+\\.[0-9]+([eE][-+]?[0-9]+)?");

    private final String source;
    private final boolean lines;
    private final Function<String, @Nullable String> environment;
    private final Problems problems;

    /**
     * @param source name of the file, or the {@code --set}
     * @param lines whether places within the source mean anything to its reader
     * @param environment gives the value of a variable, or {@code null}
     */
    YamlReader(String source, boolean lines, Function<String, @Nullable String> environment, Problems problems) {
        this.source = source;
        this.lines = lines;
        this.environment = environment;
        this.problems = problems;
    }

    /** Reads the document; {@code null} where it is empty or no YAML, the latter being a problem. */
    @Nullable
    Node read(String text) {
        try (YAMLParser parser = (YAMLParser)
                YAMLFactory.builder().build().createParser(ObjectReadContext.empty(), new StringReader(text))) {
            if (parser.nextToken() == null) {
                return null;
            }
            Node root = node(parser, 0);
            JsonToken next = parser.nextToken();
            if (next != null) {
                problems.add(
                        place(parser),
                        "wanted one document, found another one after '---'; make it a file of" + " its own");
            }
            return root;
        } catch (JacksonException e) {
            problems.add(placeOf(e), "wanted YAML or JSON, found: " + firstLine(e));
            return null;
        }
    }

    /** The parser's own location is where its context begins; its text ends with where it got stuck. */
    private Place placeOf(JacksonException e) {
        Matcher stuck = STUCK.matcher(String.valueOf(e.getOriginalMessage()));
        Place place = place(e.getLocation());
        while (lines && stuck.find()) {
            place = new Place(source, Integer.parseInt(stuck.group(1)), Integer.parseInt(stuck.group(2)));
        }
        return place;
    }

    private static String firstLine(JacksonException e) {
        // What is indented says where, with an excerpt.
        List<String> said = String.valueOf(e.getOriginalMessage())
                .lines()
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .map(String::strip)
                .limit(2)
                .toList();
        return String.join(", ", said);
    }

    private Node node(YAMLParser parser, int depth) {
        Place place = place(parser);
        if (depth > DEEPEST) {
            throw new tools.jackson.core.exc.StreamReadException(
                    parser, "more than " + DEEPEST + " levels of nesting", parser.currentTokenLocation());
        }
        if (parser.isCurrentAlias()) {
            problems.add(
                    place,
                    "wanted a value, found the alias '*" + parser.getString()
                            + "'; aliases are not supported, write the value out");
            return new Node.Scalar(place, Node.Kind.NULL, "");
        }
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> mapping(parser, place, depth);
            case START_ARRAY -> sequence(parser, place, depth);
            case VALUE_NULL -> new Node.Scalar(place, Node.Kind.NULL, "");
            case VALUE_TRUE, VALUE_FALSE ->
                new Node.Scalar(place, Node.Kind.BOOLEAN, token == JsonToken.VALUE_TRUE ? "true" : "false");
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                String number = parser.getString();
                boolean usual = NUMBER.matcher(number).matches();
                yield new Node.Scalar(place, usual ? Node.Kind.NUMBER : Node.Kind.TEXT, number);
            }
            default -> text(place, parser.getString());
        };
    }

    private Node text(Place place, String text) {
        return text.contains("${env:")
                ? new Node.Scalar(place, Node.Kind.TEXT, filledIn(place, text))
                : new Node.Scalar(place, Node.Kind.TEXT, text);
    }

    private String filledIn(Place place, String text) {
        Matcher matcher = ENVIRONMENT.matcher(text);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(1);
            String value = matcher.group();
            if (name != null) {
                value = environment.apply(name);
                if (value == null) {
                    problems.add(
                            place,
                            "wanted the environment variable '" + name + "', found none of that name;"
                                    + " set it, or write $${ for a plain ${");
                    value = "";
                }
            }
            matcher.appendReplacement(result, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(result).toString();
    }

    private Node mapping(YAMLParser parser, Place place, int depth) {
        Map<String, Node> entries = new LinkedHashMap<>();
        Map<String, Place> keys = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            Place keyPlace = place(parser);
            parser.nextToken();
            Node value = node(parser, depth + 1);
            Place first = keys.putIfAbsent(key, keyPlace);
            if (first != null) {
                problems.add(
                        keyPlace,
                        "wanted each key once, found '" + key + "' again (first in line " + first.line() + ")");
            } else {
                entries.put(key, value);
            }
        }
        return new Node.Mapping(place, entries, keys);
    }

    private Node sequence(YAMLParser parser, Place place, int depth) {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(parser, depth + 1));
        }
        return new Node.Sequence(place, items);
    }

    private Place place(YAMLParser parser) {
        return place(parser.currentTokenLocation());
    }

    private Place place(@Nullable TokenStreamLocation location) {
        return lines && location != null && location.getLineNr() > 0
                ? new Place(source, location.getLineNr(), location.getColumnNr())
                : Place.of(source);
    }
}
