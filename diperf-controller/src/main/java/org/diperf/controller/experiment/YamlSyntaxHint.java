package org.diperf.controller.experiment;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A slip that keeps a text from being YAML, in the words of those who write experiment files. The parser's own words name
 * its states.
 *
 * @param said matches the parser's message
 * @param words what to tell, with the first group of the message, and the line where what the parser was in began
 */
record YamlSyntaxHint(Pattern said, String words) {

    private static final List<YamlSyntaxHint> KNOWN = List.of(
            of(
                    "mapping values are not allowed here",
                    "found a second ': ' for one key; indent all keys of a mapping equally, and quote a text that "
                            + "contains ': '"),
            of("found character '\\\\t", "found a tab; indent with spaces"),
            of("found character '(.)' that cannot start", "found a value that begins with %1$s; quote it"),
            of(
                    "parsing a flow (?:mapping|sequence).*expected ',' or '(.)', but got <stream end>",
                    "expected a '%1$s' to close the bracket opened on line %2$s, got the end of the text"),
            of(
                    "parsing a flow node.*(<stream end>)",
                    "expected a value and the bracket that closes the '[' or '{' before it, got the end of the text"),
            of(
                    "expected ',' or '(.)', but got",
                    "expected a comma, or a '%1$s' to close the bracket opened on line %2$s, got something else"),
            of(
                    "scanning a (?:double-)?quoted scalar.*(unexpected end of stream)",
                    "expected the closing quote for the one on line %2$s, got the end of the text"),
            of(
                    "found (unknown escape character)",
                    "found a '\\' before a letter that cannot be escaped; write \\\\, or use single quotes"),
            of(
                    "expected <block end>, but found '<block (?:mapping|sequence) start>'",
                    "found a line that is indented differently from those before it; indent all keys of a mapping "
                            + "equally"),
            of(
                    "expected <block end>, but found '-'",
                    "found '- ' where a key was expected; indent a list below its key"),
            of("expected <block end>, but found '(.)'", "found a '%1$s' without a matching opening bracket"),
            of("could not find expected ':'", "expected 'key: value', got no ':' after the key on line %2$s"));

    private static final Pattern BEGAN = Pattern.compile("(?m)^ in .*line ([0-9]{1,7})");

    private static YamlSyntaxHint of(String said, String words) {
        return new YamlSyntaxHint(Pattern.compile(said, Pattern.DOTALL), words);
    }

    /**
     * Says what is wrong.
     *
     * @param message the parser's
     * @return in one line; the parser's own words where the slip is none of the usual ones
     */
    static String describe(String message) {
        for (YamlSyntaxHint known : KNOWN) {
            Matcher matcher = known.said.matcher(message);
            if (matcher.find()) {
                Matcher began = BEGAN.matcher(message);
                return String.format(
                        known.words,
                        matcher.groupCount() == 0 ? "" : matcher.group(1),
                        began.find() ? began.group(1) : "1");
            }
        }
        // What is indented says where, with an excerpt.
        List<String> said = message.lines()
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .map(String::strip)
                .limit(2)
                .toList();
        return String.join(", ", said);
    }
}
