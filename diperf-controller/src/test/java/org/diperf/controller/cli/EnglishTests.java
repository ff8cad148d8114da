package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.controller.documentation.Documentation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The English of what users read: every help text and message, which are literals of the sources, and every page. */
@Timeout(60)
class EnglishTests {

    private static final Pattern LITERAL =
            Pattern.compile("\"\"\"\\n(.*?)\"\"\"|\"((?:[^\"\\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);

    /** Code on a page: a block, or a span within a sentence. */
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`]+`");

    private static final Set<String> SKIPPED = Set.of("target", "test", "resources", ".git", "dist");

    /** By where they stand. */
    private static final Map<String, String> TEXTS = new LinkedHashMap<>();

    @BeforeAll
    static void gather() throws IOException {
        TEXTS.clear();
        List<Path> pages = new ArrayList<>(Documentation.pages());
        pages.add(Documentation.root().resolve("CHANGELOG.md"));
        for (Path page : pages) {
            TEXTS.put(
                    String.valueOf(page),
                    CODE.matcher(Files.readString(page)).replaceAll("``").replaceAll("\\s+", " "));
        }
        Files.walkFileTree(Documentation.root(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(String.valueOf(folder.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.toString().endsWith(".java") && file.toString().contains("/src/main/")) {
                    List<String> literals = new ArrayList<>();
                    Matcher literal = LITERAL.matcher(Files.readString(file));
                    while (literal.find()) {
                        literals.add(literal.group(1) == null ? literal.group(2) : literal.group(1));
                    }
                    TEXTS.put(file.toString(), String.join("\n", literals));
                }
                return FileVisitResult.CONTINUE;
            }
        });
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
        TEXTS.forEach((place, text) -> {
            Matcher matcher = unwanted.matcher(text);
            while (matcher.find()) {
                int from = Math.max(0, matcher.start() - 30);
                found.add(place + ": ..." + text.substring(from, Math.min(text.length(), matcher.end() + 30)));
            }
        });
        assertThat(found).isEmpty();
    }

    @Test
    void allTextsAreLookedAt() {
        String all = String.join("\n", TEXTS.values());

        // A help text, a message and a page.
        assertThat(all)
                .contains(
                        "testers (load generators)",
                        "expected a metric and how much worse it may get",
                        "No coordinated omission.");
        assertThat(TEXTS).hasSizeGreaterThan(500);
    }
}
