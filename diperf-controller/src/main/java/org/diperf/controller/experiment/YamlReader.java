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
                        position(parser),
                        "expected one document, got a second one after '---'; put it in a separate file");
            }
            return root;
        } catch (JacksonException e) {
            problems.add(
                    positionOf(e),
                    "not YAML or JSON: " + YamlSyntaxHint.describe(String.valueOf(e.getOriginalMessage())));
            return null;
        }
    }

    /** The parser's own location is where its context begins; its text ends with where it got stuck. */
    private SourcePosition positionOf(JacksonException e) {
        Matcher stuck = STUCK.matcher(String.valueOf(e.getOriginalMessage()));
        SourcePosition position = position(e.getLocation());
        while (lines && stuck.find()) {
            position = new SourcePosition(source, Integer.parseInt(stuck.group(1)), Integer.parseInt(stuck.group(2)));
        }
        return position;
    }

    private Node node(YAMLParser parser, int depth) {
        SourcePosition position = position(parser);
        if (depth > DEEPEST) {
            throw new tools.jackson.core.exc.StreamReadException(
                    parser, "more than " + DEEPEST + " levels of nesting", parser.currentTokenLocation());
        }
        if (parser.isCurrentAlias()) {
            problems.add(
                    position,
                    "expected a value, got the alias '*" + parser.getString()
                            + "'; aliases are not supported, write out the value");
            return new Node.Scalar(position, Node.Kind.NULL, "");
        }
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> mapping(parser, position, depth);
            case START_ARRAY -> sequence(parser, position, depth);
            case VALUE_NULL -> new Node.Scalar(position, Node.Kind.NULL, "");
            case VALUE_TRUE, VALUE_FALSE ->
                new Node.Scalar(position, Node.Kind.BOOLEAN, token == JsonToken.VALUE_TRUE ? "true" : "false");
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                String number = parser.getString();
                boolean usual = NUMBER.matcher(number).matches();
                yield new Node.Scalar(position, usual ? Node.Kind.NUMBER : Node.Kind.TEXT, number);
            }
            default -> text(position, parser.getString());
        };
    }

    private Node text(SourcePosition position, String text) {
        return text.contains("${env:")
                ? new Node.Scalar(position, Node.Kind.TEXT, filledIn(position, text))
                : new Node.Scalar(position, Node.Kind.TEXT, text);
    }

    private String filledIn(SourcePosition position, String text) {
        Matcher matcher = ENVIRONMENT.matcher(text);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(1);
            String value = matcher.group();
            if (name != null) {
                value = value(name, position);
            }
            matcher.appendReplacement(result, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(result).toString();
    }

    private String value(String name, SourcePosition position) {
        String problem = "expected the environment variable '" + name
                + "', got none with that name; set it, or write $${ for a literal ${";
        try {
            String value = environment.apply(name);
            if (value != null) {
                return value;
            }
        } catch (IllegalArgumentException e) {
            problem = String.valueOf(e.getMessage());
        }
        problems.add(position, problem);
        return "";
    }

    private Node mapping(YAMLParser parser, SourcePosition position, int depth) {
        Map<String, Node> entries = new LinkedHashMap<>();
        Map<String, SourcePosition> keys = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            SourcePosition keyPosition = position(parser);
            parser.nextToken();
            Node value = node(parser, depth + 1);
            SourcePosition first = keys.putIfAbsent(key, keyPosition);
            if (first != null) {
                problems.add(
                        keyPosition,
                        "expected each key once, got '" + key + "' again (first on line " + first.line() + ")");
            } else {
                entries.put(key, value);
            }
        }
        return new Node.Mapping(position, entries, keys);
    }

    private Node sequence(YAMLParser parser, SourcePosition position, int depth) {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(parser, depth + 1));
        }
        return new Node.Sequence(position, items);
    }

    private SourcePosition position(YAMLParser parser) {
        return position(parser.currentTokenLocation());
    }

    private SourcePosition position(@Nullable TokenStreamLocation location) {
        return lines && location != null && location.getLineNr() > 0
                ? new SourcePosition(source, location.getLineNr(), location.getColumnNr())
                : SourcePosition.of(source);
    }
}
