package org.diperf.controller.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pages that users read: {@code README.md}, {@code CONTRIBUTING.md} and {@code docs/*.md}. */
public final class Documentation {

    private static final Path ROOT = Path.of("..");
    private static final Pattern FENCE = Pattern.compile("( *)```(.*)");
    private static final Pattern SPAN = Pattern.compile("(`+)(.+?)\\1", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#+ (.*)");
    private static final Pattern FILE = Pattern.compile("# ([\\w-]+\\.(?:yml|py|csv|txt))\\b.*\\n");
    private static final String INDENTED = "    ";

    private Documentation() {}

    /**
     * A piece of code on a page.
     *
     * @param page its file name, such as {@code load.md}
     * @param line its first one, from 1
     * @param heading that it stands below; empty: none
     * @param language of a block, empty where it has none; {@code null}: a span within a sentence
     * @param cell of a table's row, from 0; -1: none
     */
    public record Code(
            String page, int line, String heading, @Nullable String language, int cell, String text) {

        public boolean isSpan() {
            return language == null;
        }

        public boolean isIn(String wanted) {
            return wanted.equals(language);
        }

        /** Returns whether it is for a shell: a block without a language, or of one. */
        public boolean isShell() {
            return language != null && List.of("", "sh", "bash").contains(language);
        }

        /** Returns where it stands, as an editor opens it. */
        public String place() {
            return page + ":" + line;
        }
    }

    /** A link on a page to another page, file or heading of the repository. */
    public record Link(Path page, int line, String target) {}

    public static Path root() {
        return ROOT;
    }

    public static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    /** Returns all code of all pages. */
    public static List<Code> code() throws IOException {
        List<Code> code = new ArrayList<>();
        for (Path page : pages()) {
            code.addAll(new Reader(page).read().code);
        }
        return code;
    }

    /** Returns the files that pages show: blocks that begin with {@code # NAME}, such as {@code # shop.py PORT}, by name. */
    public static Map<String, Code> files() throws IOException {
        Map<String, Code> files = new LinkedHashMap<>();
        for (Code code : code()) {
            Matcher named = FILE.matcher(code.text());
            if (!code.isSpan() && named.lookingAt()) {
                files.put(code.page() + "/" + named.group(1), code);
            }
        }
        return files;
    }

    /** Returns the links of all pages, but for those to other sites. */
    public static List<Link> links() throws IOException {
        List<Link> links = new ArrayList<>();
        for (Path page : pages()) {
            for (Paragraph paragraph : new Reader(page).read().paragraphs) {
                Matcher link = LINK.matcher(paragraph.text());
                while (link.find()) {
                    if (!link.group(1).contains("://")) {
                        links.add(new Link(page, paragraph.line(), link.group(1)));
                    }
                }
            }
        }
        return links;
    }

    /** Returns the names by which links reach the headings of a page, as the usual sites make them. */
    public static List<String> anchors(Path page) throws IOException {
        return new Reader(page)
                .read().headings.stream()
                        .map(heading -> heading.toLowerCase(Locale.ROOT)
                                .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                                .replace(' ', '-'))
                        .toList();
    }

    private record Paragraph(int line, String heading, String text) {}

    /** Takes one page apart. */
    private static final class Reader {

        private final String page;
        private final List<String> lines;
        private final List<Code> code = new ArrayList<>();
        private final List<Paragraph> paragraphs = new ArrayList<>();
        private final List<String> headings = new ArrayList<>();
        private final StringBuilder paragraph = new StringBuilder();
        private int paragraphLine;
        private String heading = "";

        Reader(Path page) throws IOException {
            this.page = String.valueOf(page.getFileName());
            this.lines = Files.readAllLines(page);
        }

        Reader read() {
            int at = 0;
            while (at < lines.size()) {
                String line = lines.get(at);
                Matcher fence = FENCE.matcher(line);
                Matcher title = HEADING.matcher(line);
                if (fence.matches()) {
                    endParagraph();
                    at = block(at, fence.group(1), fence.group(2).strip());
                } else if (line.startsWith(INDENTED)
                        && paragraph.isEmpty()
                        && !line.strip().startsWith("|")) {
                    at = indented(at);
                } else if (line.isBlank()) {
                    endParagraph();
                    at++;
                } else {
                    if (title.matches()) {
                        endParagraph();
                        heading = title.group(1);
                        headings.add(heading);
                    }
                    add(line, at);
                    if (title.matches() || line.startsWith("|")) {
                        endParagraph();
                    }
                    at++;
                }
            }
            endParagraph();
            return this;
        }

        private int block(int from, String indent, String language) {
            int end = from + 1;
            StringBuilder text = new StringBuilder();
            while (!lines.get(end).strip().equals("```")) {
                String line = lines.get(end++);
                text.append(line.startsWith(indent) ? line.substring(indent.length()) : line)
                        .append('\n');
            }
            code.add(new Code(page, from + 2, heading, language, -1, text.toString()));
            return end + 1;
        }

        private int indented(int from) {
            int end = from;
            StringBuilder text = new StringBuilder();
            while (end < lines.size() && lines.get(end).startsWith(INDENTED)) {
                text.append(lines.get(end++).substring(INDENTED.length())).append('\n');
            }
            code.add(new Code(page, from + 1, heading, "", -1, text.toString()));
            return end;
        }

        private void add(String line, int at) {
            if (paragraph.isEmpty()) {
                paragraphLine = at + 1;
            }
            paragraph.append(line).append('\n');
        }

        private void endParagraph() {
            if (paragraph.isEmpty()) {
                return;
            }
            String text = paragraph.toString();
            paragraphs.add(new Paragraph(paragraphLine, heading, text));
            Matcher span = SPAN.matcher(text);
            while (span.find()) {
                String before = text.substring(0, span.start());
                int line = paragraphLine
                        + (int) before.chars().filter(c -> c == '\n').count();
                code.add(new Code(
                        page,
                        line,
                        heading,
                        null,
                        text.startsWith("|") ? cell(before) : -1,
                        span.group(2).replaceAll("\\s+", " ").strip()));
            }
            paragraph.setLength(0);
        }

        /** Returns the number of the cell that the text ends in; bars within code divide none. */
        private static int cell(String before) {
            String bare = SPAN.matcher(before).replaceAll("");
            return (int) bare.chars().filter(c -> c == '|').count() - 1;
        }
    }
}
