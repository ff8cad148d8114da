package org.diperf.controller.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page of {@code docs/} that is written by hand down to a mark, and from there on by a test. */
public final class GeneratedPage {

    private static final String MARK =
            "<!-- Written by a test from here on: ./mvnw test -pl diperf-controller -am -Dtest='*ReferenceTests'"
                    + " -Dreference.update=true -Dsurefire.failIfNoSpecifiedTests=false -->\n";

    private GeneratedPage() {}

    /**
     * Checks that a page is what the program declares; writes it anew with {@code -Dreference.update=true}.
     *
     * @param name of the page, such as {@code commands.md}
     * @param generated what follows the mark
     */
    public static void check(String name, String generated) throws IOException {
        Path page = Documentation.root().resolve("docs").resolve(name);
        String text = Files.readString(page);
        int mark = text.indexOf(MARK);
        assertThat(mark).as("where the mark is in docs/%s: %s", name, MARK).isPositive();
        String expected = text.substring(0, mark) + MARK + "\n" + generated;
        if (Boolean.getBoolean("reference.update")) {
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page))
                .as("docs/%s differs from what the program declares: run this test with -Dreference.update=true", name)
                .isEqualTo(expected);
    }

    /** Returns the part of a page that is written by hand. */
    public static String byHand(String text) {
        int mark = text.indexOf(MARK);
        return mark < 0 ? text : text.substring(0, mark);
    }

    /** Returns a text as a cell of a table. */
    public static String cell(String text) {
        return text.replaceAll("\\s+", " ")
                .replace("|", "\\|")
                .replaceAll("(\\$\\{[\\w.]+})", "`$1`")
                .strip();
    }
}
