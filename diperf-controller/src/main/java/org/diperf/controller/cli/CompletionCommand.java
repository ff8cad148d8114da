package org.diperf.controller.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script that completes commands and options in a shell. */
@Command(
        name = "completion",
        description = {"Prints a shell completion script for DiPerF's commands and options.", ""},
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(diperf completion bash)         for this shell; add it to ~/.bashrc for all shells",
            "  source <(diperf completion zsh)          add it to ~/.zshrc, after compinit",
            "  diperf completion fish > ~/.config/fish/completions/diperf.fish",
            "",
            "Exit codes: 0 done, 2 bad usage.",
        })
final class CompletionCommand implements Callable<Integer> {

    /** Shells that there is a script for. */
    enum Shell {
        BASH,
        ZSH,
        FISH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "bash|zsh|fish", description = "The shell.")
    Shell shell;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine program = spec.root().commandLine();
        // That of bash loads bashcompinit where it finds itself in zsh.
        String script = shell == Shell.FISH
                ? FishCompletion.script(program.getCommandSpec())
                : AutoComplete.bash(program.getCommandName(), program);
        spec.commandLine().getOut().print(script);
        return ExitCode.DONE;
    }
}
