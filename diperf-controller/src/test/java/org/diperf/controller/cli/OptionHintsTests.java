package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.controller.experiment.TheirWords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(60)
class OptionHintsTests {

    private static final Set<String> OPTIONS =
            new CommandLine(new RunCommand()).getCommandSpec().optionsMap().keySet();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run http://127.0.0.1/ --vus 10 | run: unknown option --vus; for clients, use --clients N (-c)",
                "run http://127.0.0.1/ --vus=10 | run: unknown option --vus; for clients, use --clients N (-c)",
                "check http://127.0.0.1/ -u 10 | check: unknown option -u; for clients, use --clients N",
                "run http://127.0.0.1/ --iterations 100 | for a number of calls, use --calls N (-n)",
                "run http://127.0.0.1/ --user me:secret | for credentials, --header 'Authorization: Basic BASE64' (-H)",
                "run --url http://127.0.0.1/ | the URL as a plain argument",
                "run http://127.0.0.1/ -z 10s | the duration, use --for D",
                "run http://127.0.0.1/ -rate 5 | run: unknown option -rate; long options start with two "
                        + "hyphens: --rate",
                "check http://127.0.0.1/ -duration=5s | check: unknown option -duration; for the duration, use --for D",
                "report -quantum 5s | report: unknown option -quantum; long options start with two hyphens",
                "run http://127.0.0.1/ --threshold p95<1s | for a threshold, use --set "
                        + "'thresholds=[response.p95 < 250ms]'",
                "run http://127.0.0.1/ --usrs 5 | for clients, use --clients N (-c)",
                "run http://127.0.0.1/ --duraton 5s | run: unknown option --duraton; for the duration, use --for D",
                "run http://127.0.0.1/ --clinets 5 | Did you mean '--clients'?",
                "report --vuse 5 | report: unknown option --vuse"
            })
    void wordsOfOtherToolsAreTranslated(String line, String told) {
        Outcome outcome = Outcome.of(line.split(" "));
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains(told);
    }

    @Test
    void noWordOfTheirsIsAnOptionOfOurs() {
        assertThat(TheirWords.byWord().keySet()).doesNotContainAnyElementsOf(OPTIONS);
    }

    @Test
    void everyOptionThatAHintNamesExistsAndEveryKeyCanBeSet() {
        Pattern named = Pattern.compile("(?<![a-z-])(--?[A-Za-z][a-z-]*)");
        Pattern set = Pattern.compile("--set (load\\.[a-z.-]+)=([0-9a-zN]+)");
        for (TheirWords hint : TheirWords.values()) {
            Matcher option = named.matcher(hint.option());
            while (option.find()) {
                assertThat(OPTIONS).as("%s", hint).contains(option.group(1));
            }
            Matcher key = set.matcher(hint.option());
            while (key.find()) {
                boolean open = key.group(1).contains(".open.");
                Outcome outcome = Outcome.of(List.of(
                        "check",
                        "http://127.0.0.1:1/",
                        open ? "--rate=5" : "--clients=5",
                        "--set",
                        key.group(1) + "=" + key.group(2).replace("N", "100")));
                // Nobody listens there: what counts is that the experiment was taken.
                assertThat(outcome.code()).as("%s: %s", hint, outcome.err()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
            }
        }
    }
}
