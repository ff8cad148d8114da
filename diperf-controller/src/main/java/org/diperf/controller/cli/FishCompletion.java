package org.diperf.controller.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the completions of a program for fish, from its model. */
final class FishCompletion {

    private final String program;
    private final StringBuilder out = new StringBuilder();

    private FishCompletion(String program) {
        this.program = program;
    }

    /** Returns the script. */
    static String script(CommandSpec program) {
        FishCompletion script = new FishCompletion(program.name());
        // Files where an argument is one, and only there.
        script.line("-f");
        script.command(program, List.of());
        return script.out.toString();
    }

    private void command(CommandSpec command, List<String> path) {
        String below = seen(path);
        String here = command.subcommands().isEmpty()
                ? below
                : path.isEmpty()
                        ? "__fish_use_subcommand"
                        : below + "; and not __fish_seen_subcommand_from "
                                + String.join(" ", command.subcommands().keySet());
        command.subcommands()
                .forEach((name, sub) -> line(
                        "-n " + quoted(here) + " -a " + name + " -d " + quoted(firstSentence(sub.getCommandSpec()))));
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                line("-n " + quoted(here) + names(option) + argument(option) + " -d " + quoted(text(option)));
            }
        }
        for (PositionalParamSpec positional : command.positionalParameters()) {
            String candidates = candidates(positional);
            if (!candidates.isEmpty()) {
                line("-n " + quoted(here) + " -a " + quoted(candidates));
            } else if (isFile(positional)) {
                line("-n " + quoted(here) + " -F");
            }
        }
        command.subcommands().forEach((name, sub) -> {
            List<String> deeper = new ArrayList<>(path);
            deeper.add(name);
            command(sub.getCommandSpec(), deeper);
        });
    }

    private static String seen(List<String> path) {
        return path.stream().map(name -> "__fish_seen_subcommand_from " + name).collect(Collectors.joining("; and "));
    }

    private static String names(OptionSpec option) {
        StringBuilder names = new StringBuilder();
        for (String name : option.names()) {
            names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        return names.toString();
    }

    private static String argument(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        String candidates = candidates(option);
        return isFile(option) ? " -r -F" : candidates.isEmpty() ? " -x" : " -x -a " + quoted(candidates);
    }

    private static boolean isFile(ArgSpec argument) {
        Class<?> type = argument.auxiliaryTypes().length > 0 ? argument.auxiliaryTypes()[0] : argument.type();
        return type == Path.class || type == File.class || argument.paramLabel().contains("FILE");
    }

    private static String candidates(ArgSpec argument) {
        if (argument.completionCandidates() != null) {
            return StreamSupport.stream(argument.completionCandidates().spliterator(), false)
                    .collect(Collectors.joining(" "));
        }
        return "";
    }

    private static String firstSentence(CommandSpec command) {
        String text = String.join(" ", command.usageMessage().description());
        return text.replaceFirst("(?s)(?<=\\.)\\s.*", "");
    }

    private static String text(OptionSpec option) {
        return CommandLine.Help.Ansi.OFF
                .string(String.join(" ", option.description()).replace("%%", "%"))
                .replaceFirst("(?s)(?<=\\.)\\s.*", "");
    }

    private void line(String rest) {
        out.append("complete -c ")
                .append(program)
                .append(' ')
                .append(rest.strip())
                .append('\n');
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
