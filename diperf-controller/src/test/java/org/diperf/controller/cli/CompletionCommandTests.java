package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CompletionCommandTests {

    @TempDir
    private Path folder = Path.of("");

    private Path script(String shell) throws IOException {
        Outcome outcome = Outcome.of("completion", shell);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isZero();
        return Files.writeString(folder.resolve("diperf." + shell), outcome.out());
    }

    /** Runs a shell where it is installed, and gives what it printed. */
    private static String run(String... command) throws IOException, InterruptedException {
        boolean installed = List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, command[0])));
        assumeThat(installed).as("%s is installed", command[0]).isTrue();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        String complete = """
                . "$0"
                words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
                  COMPREPLY=(); _complete_diperf 2>/dev/null; echo "${COMPREPLY[@]}"; }
                words diperf re
                words diperf run --cl
                words diperf completion ''
                """;
        String printed = run("bash", "-c", complete, script("bash").toString());

        assertThat(printed.lines()).hasSize(3);
        assertThat(printed.lines().toList().get(0).split(" ")).contains("report", "relay");
        assertThat(printed.lines().toList().get(1)).isEqualTo("--clients");
        assertThat(printed.lines().toList().get(2).split(" ")).contains("bash", "zsh", "fish");
    }

    @Test
    void zshTakesTheScript() throws IOException, InterruptedException {
        String printed = run(
                "zsh",
                "-f",
                "-c",
                "autoload -U compinit && compinit -u -D; source $0 && print $_comps[diperf]",
                script("zsh").toString());

        assertThat(printed).contains("bash_complete");
    }

    @Test
    void zshLoadsTheScriptOfThePackageAtTheFirstCompletion() throws IOException, InterruptedException {
        String loads = Files.readString(Path.of("../dist/src/deb/_diperf"));
        assertThat(loads).startsWith("#compdef diperf\n");
        Path functions = Files.createDirectory(folder.resolve("functions"));
        Files.writeString(
                functions.resolve("_diperf"),
                loads.replace(
                        "/usr/share/bash-completion/completions/diperf",
                        script("bash").toString()));
        String printed = run(
                "zsh",
                "-f",
                "-c",
                "fpath=($0 $fpath); autoload -U compinit && compinit -u -D; print $_comps[diperf];"
                        + " _diperf 2>/dev/null; print $_comps[diperf]",
                functions.toString());

        assertThat(printed.lines()).hasSize(2).first().isEqualTo("_diperf");
        assertThat(printed).endsWith("_bash_complete -F _complete_diperf -o default\n");
    }

    @Test
    void fishCompletesCommandsAndOptions() throws IOException, InterruptedException {
        String printed = run(
                "fish",
                "--no-config",
                "-c",
                "source $argv[1]; complete -C 'diperf re'; complete -C 'diperf run --cl'",
                script("fish").toString());

        assertThat(printed).contains("report\t", "relay\t", "--clients\t");
    }

    @Test
    void theScriptOfFishNamesEveryCommandAndItsOptions() throws IOException {
        List<String> lines = Files.readAllLines(script("fish"));

        assertThat(lines).allMatch(line -> line.startsWith("complete -c diperf "));
        assertThat(lines)
                .anyMatch(line -> line.contains("-n '__fish_use_subcommand' -a run -d 'Runs an experiment"))
                .anyMatch(line -> line.contains("from run' -s c -l clients -x -d '"))
                .anyMatch(line -> line.contains("from run' -s o -l out -r -F"))
                .anyMatch(line -> line.contains("from completion' -a 'bash zsh fish'"))
                .anyMatch(line -> line.endsWith("from verify' -F"));
        // A quote within a description would end it.
        assertThat(lines)
                .allMatch(line ->
                        line.replace("\\'", "").chars().filter(c -> c == '\'').count() % 2 == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcsh", ""})
    void otherShellsAreRefused(String shell) {
        Outcome outcome = Outcome.of("completion", shell);
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains("bash", "zsh", "fish");
    }

    @Test
    void helpShowsWhatTheOptionShows() {
        assertThat(Outcome.of("help")).isEqualTo(Outcome.of("--help"));
        assertThat(Outcome.of("help", "run")).isEqualTo(Outcome.of("run", "--help"));
        assertThat(Outcome.of("version")).isEqualTo(Outcome.of("--version"));
        Outcome unknown = Outcome.of("help", "rum");
        assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
        assertThat(unknown.err()).contains("no command 'rum'. Did you mean 'run'?");
    }
}
