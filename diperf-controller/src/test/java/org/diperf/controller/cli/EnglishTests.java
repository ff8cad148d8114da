package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.diperf.controller.documentation.Documentation;
import org.diperf.controller.documentation.GeneratedPage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The English of what users read: every page, and every help text, schema text, message, report and live page, which are literals of the
 * sources and are all written to {@code target/texts.txt}. Findings of words and long sentences are held to {@code english.txt}, a list of
 * what awaits its rewrite: numbers in it only fall, and what is not in it has none.
 */
@Timeout(60)
class EnglishTests {

    private static final int MAX_WORDS_OF_A_SENTENCE = 30;
    private static final int SHOWN_FINDINGS = 40;
    private static final int SPARE_FINDINGS = 5;
    private static final int SPARE_WORDS = 300;

    /** What a page may have that awaits no rewrite. */
    private static final Allowed NONE = new Allowed(0, 1500);

    private static final Path ALLOWED = Path.of("src/test/resources/org/diperf/controller/cli/english.txt");
    private static final Path WRITTEN = Path.of("target/texts.txt");

    /** Comments and characters, which are passed over, and texts. */
    private static final Pattern JAVA = Pattern.compile("//[^\\n]*|(?s:/\\*.*?\\*/)|'(?:[^'\\\\\\n]|\\\\.)+'"
            + "|\"\"\"\\n(?<block>(?s:.*?))\"\"\"|\"(?<text>(?:[^\"\\\\\\n]|\\\\.)*)\"");

    /** Between two literals of one text: a plus, or a value between two. */
    private static final Pattern JOINED = Pattern.compile("\\s*\\+(?:(?<value>[^;{}]*)\\+)?\\s*");

    /** Texts of live pages: attributes and literals of scripts, and what is between tags. */
    private static final Pattern PAGE = Pattern.compile("\"(?<text>[^\"\\n]*)\"|>(?<block>[^<>{};=]+)<");

    /** Code on a page: a block, or a span within a sentence. */
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`]+`");

    /** Ends of sentences, paragraphs, titles, items and cells. */
    private static final Pattern END =
            Pattern.compile("(?<=[.!?][\")*]{0,3})\\s+|\\n\\s*(?=\\n|[-*|#]|\\d+\\. )|[|·]|\\\\n|%n");

    private static final Pattern TITLE = Pattern.compile("(?m)^(#+ .*)\\n");

    /** What is for machines: styles, scripts. */
    private static final Pattern FOR_MACHINES = Pattern.compile("[{};$]|[A-Z]_[A-Z]");

    private static final Pattern WORD = Pattern.compile("\\S*[A-Za-z0-9`]\\S*");

    private static final Pattern QUESTION = Pattern.compile("#+ .*\\?");

    private static final Set<String> SKIPPED = Set.of("target", "test", ".git", "dist", "uplot");

    /** Words that only this project uses so, and what everybody says. */
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("wanted", "expected, requested"),
            Map.entry("wants", "requires, takes"),
            Map.entry("tells?|telling|told", "reports, shows, knows"),
            Map.entry("beside", "next to, compared with"),
            Map.entry("of (?:its|their|our|your|his|one's) own", "own, separate"),
            Map.entry("(?:go|goes|going) with", "requires, belongs to"),
            Map.entry("under way", "running, in progress"),
            Map.entry("cut short", "interrupted"),
            Map.entry("nobody|whoever", "no one, anyone who"),
            Map.entry("(?:stands?|stood) (?:in|behind|first)", "is, appears"),
            Map.entry("(?:stands?|stood) still", "is paused"),
            Map.entry("may stand", "is allowed"),
            Map.entry("stand-ins?", "stub, mock server"),
            Map.entry("so many", "N"),
            Map.entry("(?:in|by) turns", "interleaved, alternately"),
            Map.entry("afar", "remote"),
            Map.entry("(?:go|goes|going|gone) on", "continues"),
            Map.entry("ways? (?:there|back)", "forward path, return path"),
            Map.entry("scatter(?:s|ed)? by", "varies by"),
            Map.entry("judges?|judged", "evaluates"),
            Map.entry("log-ins?", "login"));

    private static final Pattern ANY_WORD = Pattern.compile("(?i)\\b(?:" + String.join("|", WORDS.keySet()) + ")\\b");

    /** Sentences, by the page or source where they are. */
    private static final Map<String, List<String>> TEXTS = new TreeMap<>();

    /** Numbers of words that are written by hand, by page. */
    private static final Map<String, Integer> LENGTHS = new TreeMap<>();

    @BeforeAll
    static void gather() throws IOException {
        TEXTS.clear();
        List<Path> pages = new ArrayList<>(Documentation.pages());
        pages.add(Documentation.root().resolve("CHANGELOG.md"));
        for (Path page : pages) {
            String text = Files.readString(page);
            TEXTS.put(name(page), sentences(CODE.matcher(text).replaceAll("``")));
            LENGTHS.put(name(page), GeneratedPage.byHand(text).strip().split("\\s+").length);
        }
        StringBuilder written = new StringBuilder();
        Files.walkFileTree(Documentation.root(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(String.valueOf(folder.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (name(file).matches(".*/src/main/.*\\.(?:java|html|js)")) {
                    List<String> texts =
                            texts(Files.readString(file), file.toString().endsWith(".java") ? JAVA : PAGE);
                    TEXTS.put(
                            name(file),
                            texts.stream()
                                    .flatMap(text -> sentences(text).stream())
                                    .toList());
                    if (!texts.isEmpty()) {
                        written.append("# ")
                                .append(name(file))
                                .append("\n\n")
                                .append(String.join("\n\n", texts))
                                .append("\n\n");
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
        Files.writeString(WRITTEN, written);
    }

    private static String name(Path file) {
        return Documentation.root().relativize(file).toString();
    }

    /** Returns the texts of more than one word in a source, each with "N" for the values within. */
    private static List<String> texts(String source, Pattern literals) {
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        int end = 0;
        Matcher literal = literals.matcher(source);
        while (literal.find()) {
            String found = literal.group("text") == null ? literal.group("block") : literal.group("text");
            if (found == null) {
                continue;
            }
            Matcher joined = JOINED.matcher(source.substring(end, literal.start()));
            if (!joined.matches()) {
                texts.add(text.toString());
                text.setLength(0);
            } else if (joined.group("value") != null) {
                text.append('N');
            }
            text.append(found);
            end = literal.end();
        }
        texts.add(text.toString());
        return texts.stream()
                .map(String::strip)
                .filter(each -> each.contains(" "))
                .toList();
    }

    private static List<String> sentences(String text) {
        return END.splitAsStream(TITLE.matcher(text).replaceAll("$1\n\n"))
                .map(sentence -> sentence.replaceAll("\\s+", " ").strip())
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }

    /** What reads as a translation, or has been found to be misunderstood. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gone on with",
                "which is said",
                "so did,",
                "\\bor the like\\b",
                "\\bthe begin\\b",
                "\\bto go on with this run must\\b",
                // One is not many.
                "\\b(?:1|one) (?:testers|clients|calls|samples|blocks|levels|runs of)\\b",
                // Articles, but for names that are spelled out, and for "one", which begins with another sound.
                "\\ban (?!scp|smtp|snmp)(?:[bcdfgjklmnpqrstvwxz][aeiouy]|[bcdfgpt][lr]|s[cklmnptw]|[cstw]h|wr|kn)\\w",
                "\\ba (?!one\\b|once\\b)[aeio]\\w",
                // A word twice.
                "(?<![\\w-])(?!that|had|more)([a-z]{2,}) \\1(?![\\w.-])"
            })
    void noTextReadsSo(String pattern) {
        Pattern unwanted = Pattern.compile(pattern);
        List<String> found = new ArrayList<>();
        TEXTS.forEach((place, sentences) -> sentences.stream()
                .filter(sentence -> unwanted.matcher(sentence).find())
                .forEach(sentence -> found.add(place + ": " + sentence)));
        assertThat(found).isEmpty();
    }

    /** What a page or source may have at most. */
    private record Allowed(int findings, int words) {}

    private static Map<String, Allowed> allowed() throws IOException {
        Map<String, Allowed> allowed = new TreeMap<>();
        for (String line : Files.readAllLines(ALLOWED)) {
            if (!line.startsWith("#")) {
                String[] parts = line.split(" ");
                allowed.put(parts[0], new Allowed(Integer.parseInt(parts[1]), Integer.parseInt(parts[2])));
            }
        }
        return allowed;
    }

    /** Returns what is to be rewritten in a page or source: words, long sentences, and titles that are questions. */
    private static List<String> findings(List<String> sentences) {
        List<String> findings = new ArrayList<>();
        for (String sentence : sentences) {
            ANY_WORD.matcher(sentence)
                    .results()
                    .forEach(word -> findings.add(
                            "expected " + instead(word.group()) + ", got '" + word.group() + "': " + sentence));
            long words = WORD.matcher(sentence).results().count();
            if (words > MAX_WORDS_OF_A_SENTENCE
                    && !FOR_MACHINES.matcher(sentence).find()) {
                findings.add("expected at most " + MAX_WORDS_OF_A_SENTENCE + " words, got " + words + ": " + sentence);
            }
            if (QUESTION.matcher(sentence).matches()) {
                findings.add("expected a title that names what follows, got a question: " + sentence);
            }
        }
        return findings;
    }

    private static String instead(String word) {
        return WORDS.entrySet().stream()
                .filter(each -> word.toLowerCase(Locale.ROOT).matches(each.getKey()))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void everyTextIsPlain() throws IOException {
        Map<String, Allowed> allowed = allowed();
        List<String> wrong = new ArrayList<>();
        List<String> needed = new ArrayList<>();
        TEXTS.forEach((place, sentences) -> {
            Allowed most = allowed.getOrDefault(place, NONE);
            List<String> findings = findings(sentences);
            int words = LENGTHS.getOrDefault(place, 0);
            if (findings.size() > most.findings()) {
                wrong.add(place + ": expected at most " + most.findings() + " findings, got " + findings.size());
                findings.stream().limit(SHOWN_FINDINGS).forEach(wrong::add);
            }
            if (words > most.words()) {
                wrong.add(place + ": expected at most " + most.words() + " words, got " + words);
            }
            // Rounded up, so that a line more or less changes nothing.
            Allowed need = new Allowed(
                    Math.min(most.findings(), findings.size()),
                    Math.min(most.words(), Math.max(NONE.words(), (words + 99) / 100 * 100)));
            if (most.findings() - need.findings() > SPARE_FINDINGS || most.words() - need.words() > SPARE_WORDS) {
                wrong.add(place + ": expected numbers in english.txt that are needed, got " + most + " where " + need
                        + " will do: run this test with -Denglish.update=true");
            }
            if (!need.equals(NONE)) {
                needed.add(place + " " + need.findings() + " " + need.words());
            }
        });
        if (Boolean.getBoolean("english.update")) {
            Files.writeString(ALLOWED, Files.readAllLines(ALLOWED).get(0) + "\n" + String.join("\n", needed) + "\n");
        } else {
            assertThat(wrong).isEmpty();
        }
    }

    /** Between values and clauses, which are literals of their own. */
    private static final Pattern PIECE = Pattern.compile("[\\p{L}][^0-9,;:%…()`\\n]*[\\p{L}/?]");

    /** What users look for is what they saw. */
    @Test
    void everyMessageOfTheTroubleshootingIsOneOfTheProgram() throws IOException {
        String program = TEXTS.entrySet().stream()
                .filter(text -> text.getKey().contains("/src/main/"))
                .flatMap(text -> text.getValue().stream())
                .collect(Collectors.joining("\n"));
        List<String> pieces = new ArrayList<>();
        for (String line : Files.readAllLines(Documentation.root().resolve("docs/troubleshooting.md"))) {
            if (line.startsWith("## `")) {
                PIECE.matcher(line)
                        .results()
                        .map(MatchResult::group)
                        .filter(piece -> piece.split(" ").length > 2)
                        .forEach(pieces::add);
            }
        }
        assertThat(pieces)
                .hasSizeGreaterThan(4)
                .allSatisfy(piece -> assertThat(program).contains(piece));
    }

    @Test
    void allTextsAreLookedAt() {
        List<String> all = TEXTS.values().stream().flatMap(List::stream).toList();

        // A help text, one in several literals, a message, a live page and a page.
        assertThat(all)
                .anyMatch(text -> text.contains("testers (load generators)"))
                .anyMatch(text -> text.contains("expected a metric and how much worse it may get"))
                .anyMatch(text -> text.contains("Every number on this page comes from samples"))
                .anyMatch(text -> text.contains("No coordinated omission."));
        assertThat(TEXTS).hasSizeGreaterThan(500);
    }
}
