package org.diperf.controller.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.controller.documentation.Documentation.Code;

/**
 * A command line of {@code diperf} that a page shows.
 *
 * @param place as an editor opens it
 * @param words after {@code diperf}, without the shell's quotes, comments and redirections
 * @param isForm whether it stands for many command lines: it has names such as {@code RUN_DIR} in it, brackets or bars
 */
public record DocumentedCommand(String page, String place, List<String> words, boolean isForm) {

    private static final Pattern START = Pattern.compile(
            "(?:^|[\\s(;])(?<!log_format )(?:(?:[\\w.-]*/)*diperf|java -jar (?:\\S*/)?diperf-controller\\.jar)(?=\\s|$)");
    private static final Pattern WORD =
            Pattern.compile("\\s*(?:(#.*)|((?:'[^']*'|\"(?:\\\\.|[^\"])*\"|\\\\.|[^\\s'\"\\\\])+))", Pattern.DOTALL);
    private static final Pattern COMMAND = Pattern.compile("[a-z-]+|[A-Z]+");
    private static final Pattern FORM =
            Pattern.compile("\\[.*|.*]|\\.\\.\\.|…|.*[A-Z]\\.\\.\\.|[a-z-]+\\|[a-z|-]+|FROM\\.\\.TO");
    private static final Pattern NAME = Pattern.compile("(?!PUT$|POST$)[A-Z][A-Z_]*[A-Z](?:\\.yml|\\.java)?");

    /** Returns all command lines of all pages, also those in spans that start with the command's name. */
    public static List<DocumentedCommand> all(List<String> commands) throws IOException {
        List<DocumentedCommand> found = new ArrayList<>();
        for (Code code : Documentation.code()) {
            if (code.isSpan()) {
                String text = code.text();
                String first = text.split(" ", 2)[0];
                if (START.matcher(text).find()) {
                    found.addAll(in(code, 0, text));
                } else if (commands.contains(first) && text.contains(" -")) {
                    List<String> words = words(text);
                    found.add(new DocumentedCommand(code.page(), code.place(), words, true));
                }
            } else if (code.isShell() || code.isIn("yaml")) {
                List<String> lines = code.text().replace("\\\n", "  ").lines().toList();
                for (int i = 0; i < lines.size(); i++) {
                    if (!lines.get(i).strip().startsWith("#")) {
                        found.addAll(in(code, i, lines.get(i).replaceFirst("\\s# .*", "")));
                    }
                }
            }
        }
        return found;
    }

    /** Returns the command lines that the comments of examples give. */
    public static List<DocumentedCommand> inExamples() throws IOException {
        List<DocumentedCommand> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Documentation.root().resolve("examples"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".yml"))
                    .sorted()
                    .toList()) {
                String name = String.valueOf(file.getFileName());
                List<String> lines = Files.readAllLines(file);
                for (int i = 0; i < lines.size(); i++) {
                    if (lines.get(i).startsWith("#")) {
                        found.addAll(in(new Code(name, 1, "", "", -1, ""), i, lines.get(i)));
                    }
                }
            }
        }
        return found;
    }

    private static List<DocumentedCommand> in(Code code, int below, String text) {
        List<DocumentedCommand> found = new ArrayList<>();
        Matcher start = START.matcher(text);
        while (start.find()) {
            List<String> words = words(text.substring(start.end()));
            // Elsewhere the name is that of a file.
            if (!words.isEmpty() && COMMAND.matcher(words.get(0)).matches()) {
                found.add(new DocumentedCommand(
                        code.page(),
                        code.page() + ":" + (code.line() + below),
                        words,
                        isForm(words) || code.isSpan() && isName(words)));
            }
        }
        return found;
    }

    /** A sentence names commands, such as {@code diperf runs rm}, without their arguments. */
    private static boolean isName(List<String> words) {
        return words.stream().allMatch(word -> word.matches("[a-z-]+"));
    }

    private static boolean isForm(List<String> words) {
        return words.stream()
                .flatMap(word -> Stream.of(word.split("[=/]")))
                .anyMatch(word ->
                        FORM.matcher(word).matches() || NAME.matcher(word).matches());
    }

    /** Splits a line as a shell would, up to where another command begins. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(text);
        int at = 0;
        while (at < text.length() && word.region(at, text.length()).lookingAt()) {
            String raw = word.group(2);
            if (raw == null || raw.matches("[|<>;&].*|2>.*")) {
                break;
            }
            boolean last = raw.matches("[^'\"]*[;)]");
            words.add(plain(last ? raw.substring(0, raw.length() - 1) : raw));
            if (last) {
                break;
            }
            at = word.end();
        }
        return words;
    }

    private static String plain(String raw) {
        StringBuilder plain = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
            } else if (c == quote && quote != 0) {
                quote = 0;
            } else if (c == '\\' && quote != '\'' && i + 1 < raw.length()) {
                plain.append(raw.charAt(++i));
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    @Override
    public String toString() {
        return place + ": diperf " + String.join(" ", words);
    }
}
