package org.diperf.controller.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.controller.documentation.GeneratedPage;
import org.diperf.core.experiment.SecretMask;
import org.diperf.core.plugin.Plugins;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes {@code docs/commands.md} from the commands, and holds the page to them. */
@Timeout(60)
class CommandReferenceTests {

    /** An example, and what follows it after some spaces. */
    private static final Pattern EXAMPLE = Pattern.compile("  (\\S.*?)(?: {2,}(\\S.*))?");

    private static final Pattern DEFAULT = Pattern.compile("(.*?) ?Default: (.+?)\\.?(?: ([A-Z].*))?");

    /** In the order of the help, with those within a command after it. */
    private static Map<String, CommandSpec> commands() {
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        Commands.program(new Commands(new SecretMask()), Plugins.bundled())
                .getSubcommands()
                .forEach((name, command) -> {
                    commands.put(name, command.getCommandSpec());
                    command.getSubcommands()
                            .forEach((below, sub) -> commands.put(name + " " + below, sub.getCommandSpec()));
                });
        return commands;
    }

    private static String said(String... lines) {
        return String.join(" ", lines).replace("%n", " ").replace("%%", "%").strip();
    }

    private static String description(ArgSpec argument) {
        return said(argument.description()).replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValue()));
    }

    private static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream()
                .filter(option -> !option.hidden() && option.scopeType() != CommandLine.ScopeType.INHERIT)
                .toList();
    }

    private static String names(OptionSpec option) {
        String value = option.arity().max() == 0
                ? ""
                : (option.arity().min() == 0 ? "[=" + option.paramLabel() + "]" : " " + option.paramLabel())
                        + (option.arity().max() > 1 ? "..." : "");
        return Stream.of(option.names()).collect(Collectors.joining(", ", "`", value + "`"));
    }

    private static String row(String names, String description) {
        Matcher split = DEFAULT.matcher(description);
        boolean hasDefault = split.matches();
        String rest = hasDefault && split.group(3) != null ? " " + split.group(3) : "";
        String what = hasDefault ? split.group(1) + rest : description;
        return "| " + GeneratedPage.cell(names) + " | " + GeneratedPage.cell(hasDefault ? split.group(2) : "") + " | "
                + GeneratedPage.cell(what) + " |\n";
    }

    /** Makes the table of options; those that an earlier command has too are only named. */
    private static String table(String name, Map<String, CommandSpec> commands) {
        CommandSpec command = requireNonNull(commands.get(name));
        StringBuilder rows = new StringBuilder();
        for (ArgSpec argument : command.positionalParameters()) {
            String label = argument.paramLabel() + (argument.arity().max() > 1 ? "..." : "");
            rows.append(row("`" + label + "`", description(argument)));
        }
        Map<String, List<String>> known = new LinkedHashMap<>();
        for (OptionSpec option : options(command)) {
            String first = firstWith(option, commands);
            if (first.equals(name)) {
                rows.append(row(names(option), description(option)));
            } else {
                known.computeIfAbsent(first, of -> new ArrayList<>()).add("`" + option.longestName() + "`");
            }
        }
        String also = known.entrySet().stream()
                .map(each -> String.join(", ", each.getValue()) + " as for [`" + each.getKey() + "`](#"
                        + anchor(each.getKey()) + ")")
                .collect(Collectors.joining("; "));
        return (rows.isEmpty() ? "" : "| option | default | what |\n|---|---|---|\n" + rows + "\n")
                + (also.isEmpty() ? "" : (rows.isEmpty() ? "Options: " : "Also ") + also + ".\n\n");
    }

    private static String firstWith(OptionSpec option, Map<String, CommandSpec> commands) {
        return commands.entrySet().stream()
                .filter(each -> options(each.getValue()).stream()
                        .anyMatch(other -> Arrays.equals(other.names(), option.names())
                                && description(other).equals(description(option))))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static String anchor(String command) {
        return "diperf-" + command.replace(' ', '-');
    }

    private static String section(String name, Map<String, CommandSpec> commands) {
        CommandSpec command = requireNonNull(commands.get(name));
        StringBuilder examples = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (String line : command.usageMessage().footer()) {
            Matcher example = EXAMPLE.matcher(line.replace("%%", "%"));
            if (!example.matches()) {
                after.append(line.isEmpty() ? "\n\n" : said(line) + " ");
            } else if (example.group(1).matches("#.*|.*\\bdiperf\\b.*")) {
                examples.append(example.group(1))
                        .append(example.group(2) == null ? "" : "    # " + example.group(2))
                        .append('\n');
            } else {
                examples.append("# ").append(example.group(1)).append('\n');
            }
        }
        return "## `diperf " + name + "`\n\n" + said(command.usageMessage().description()) + "\n\n```\n" + examples
                + "```\n\n" + table(name, commands)
                + after.toString().strip().replaceAll(" *\\n+ *", "\n\n") + "\n\n";
    }

    // The page has the commands of all packs.
    @Tag("bundle")
    @Test
    void thePageOfCommandsIsWhatTheProgramDeclares() throws IOException {
        Map<String, CommandSpec> commands = commands();
        assertThat(commands).containsKeys("run", "runs rm", "probe").hasSizeGreaterThan(25);
        StringBuilder page = new StringBuilder(commands.keySet().stream()
                .map(name -> "[`" + name + "`](#" + anchor(name) + ")")
                .collect(Collectors.joining(" ·\n", "", "\n")));
        page.append('\n');
        commands.keySet().forEach(name -> page.append(section(name, commands)));
        GeneratedPage.check("commands.md", page.toString().strip() + "\n");
    }

    @Test
    void everyCommandAndOptionIsDescribed() {
        List<String> without = new ArrayList<>();
        commands().forEach((name, command) -> {
            if (said(command.usageMessage().description()).isEmpty()) {
                without.add(name);
            }
            command.args().stream()
                    .filter(argument -> description(argument).isEmpty())
                    .forEach(argument -> without.add(name + " " + argument.paramLabel()));
        });
        assertThat(without).isEmpty();
    }
}
