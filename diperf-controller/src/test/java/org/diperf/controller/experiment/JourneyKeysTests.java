package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.plan.Journey;
import org.diperf.core.plan.Journey.Move;
import org.diperf.core.plan.ThinkTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class JourneyKeysTests {

    private static final String LEAST = "target: quote://h/\nload: {clients: 2, run-for: 10s}\n";

    private static final Environment ENVIRONMENT =
            new Environment(name -> null, "/jdk/bin/java", () -> "head", () -> 77);

    private static final String SHOP = """
            client:
              with: { depth: 7, symbol: A }
              journeys:
                enter:
                  weight: 0
                  steps:
                    - { name: login, capture: { token: "json:/t" }, think: 1s }
                buy:
                  weight: 3
                  steps:
                    - journey: enter
                    - group: browse
                      repeat: 2..4
                      set: { page: "${random:1..9}" }
                      steps:
                        - { name: list, with: { symbol: "p${page}" }, check: { status: 200, "json:/n": "> 0" } }
                        - { name: look, when-failed: continue }
                    - { name: order, if: "${token} != ''", plugin: bare, target: "bare://other/", with: { command: c } }
            thresholds:
              - journeys.buy.response.p95 < 2s
              - journeys.browse.failed < 1%
              - requests.order.failed < 1%
            """;

    @TempDir
    Path folder;

    private ExperimentFile.Resolved read(String yaml) throws ExperimentException {
        return ExperimentFile.resolve(
                LEAST + yaml, folder.resolve("file.yml").toString(), List.of(), Fakes.PLUGINS, ENVIRONMENT);
    }

    @Test
    void stepsAreCompiledToMovesAndRequests() throws ExperimentException {
        Script script = read(SHOP).experiment().script();
        assertThat(script.requestNames()).containsExactly("login", "list", "look", "order");
        assertThat(script.groups())
                .containsExactly(
                        new CallGroup("enter", true, List.of("login")),
                        new CallGroup("buy", true, List.of("login", "list", "look", "order")),
                        new CallGroup("browse", false, List.of("list", "look")));
        Journey buy = script.journeys().get(1);
        assertThat(buy.weight()).isEqualTo(3);
        assertThat(buy.first()).isZero();
        assertThat(buy.moves())
                .containsExactly(
                        new Move.Enter(1),
                        new Move.Enter(0),
                        new Move.Request(0),
                        new Move.Pause(new ThinkTime.Fixed(1_000_000_000L)),
                        new Move.Leave(),
                        new Move.Set("page", "${random:1..9}"),
                        new Move.Repeat(0, 2, 4, 12),
                        new Move.Enter(2),
                        new Move.Request(1),
                        new Move.Request(2),
                        new Move.Leave(),
                        new Move.Again(0, 7),
                        new Move.When("${token} != ''", 14),
                        new Move.Request(3),
                        new Move.Leave());
        assertThat(script.requests().get(1).with())
                .containsEntry("symbol", "p${page}")
                .containsEntry("depth", 7L);
        assertThat(script.requests().get(1).check()).isEqualTo(Map.of("status", "200", "json:/n", "> 0"));
        assertThat(script.requests().get(2).goesOn()).isTrue();
        assertThat(script.requests().get(3).plugin()).isEqualTo("bare");
        assertThat(script.requests().get(3).target()).isEqualTo("bare://other/");
        assertThat(script.requests().get(3).with()).isEqualTo(Map.of("command", "c"));
        assertThat(script.values()).contains("token", "page");
        assertThat(script.plugins("quote")).containsExactly("quote", "bare");
    }

    @Test
    void theResolvedFileIsTheSameExperiment() throws ExperimentException {
        ExperimentFile.Resolved first = read(SHOP);
        ExperimentFile.Resolved again =
                ExperimentFile.resolve(first.yaml(), "elsewhere/other.yml", List.of(), Fakes.PLUGINS, ENVIRONMENT);
        assertThat(again.yaml()).isEqualTo(first.yaml());
        assertThat(again.experiment().script()).isEqualTo(first.experiment().script());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{a: {steps: [{name: x}, {name: x}]}} | client.journeys.a.steps.1.name: expected requests with unique names, got 'x'",
                "{a: {steps: [{journey: b}, {name: x}]}} | expected one of the journeys [a], got 'b'",
                "{a: {steps: [{journey: a}, {name: x}]}} | got 'a', which runs itself",
                "{a: {steps: [{think: 1s}]}} | expected at least one step that makes a request",
                "{a: {weight: 0, steps: [{name: x}]}} | expected a journey with a weight above 0",
                "{a: {steps: [{name: x, steps: [{name: y}]}]}} | got the keys [name, steps]",
                "{a: {steps: [{repeat: 3}]}} | got none of them",
                "{a: {steps: [{group: g, name: x}]}} | expected it with nested steps to measure as a whole",
                "{a: {steps: [{steps: [{name: x}], check: {status: 200}}]}} | expected it in a step that makes a request (one with a name",
                "{a: {steps: [{name: x, check: {statsu: 200}}]}} | expected status, body, size, time, graphql, json:/POINTER",
                "{a: {steps: [{name: x, check: {time: '~ a'}}]}} | expected a comparison such as '< 500ms'",
                "{a: {steps: [{name: x, check: {time: '< 5 apples'}}]}} | expected a duration",
                "{a: {steps: [{name: x, check: {body: '~ ('}}]}} | expected a regular expression",
                "{a: {steps: [{name: x, check: {body: '${nobody}'}}]}} | expected one of ${client}",
                "{a: {steps: [{name: x, if: '${nobody} > 1'}]}} | expected one of ${client}",
                "{a: {steps: [{name: x, repeat: 5..2}]}} | expected a range A..B with A at most B",
                "{a: {steps: [{name: x, plugin: qoute}]}} | Did you mean 'quote'?",
                "{a: {steps: [{name: x, with: {depth: 200}}]}} | client.journeys.a.steps.0.with.depth: expected at most 100 levels",
                "{a: {steps: [{steps: [{name: x, with: {dept: 2}}]}]}} | Did you mean 'depth'?",
                "{a: {steps: [{name: x, set: {client: 1}}]}} | expected a name of letters, digits, hyphens and underscores that",
                "{a: {steps: [{group: a, steps: [{name: x}]}]}} | expected groups and journeys with unique names, got 'a'"
            })
    void whatCannotBeIsSaid(String journeys, String message) {
        assertThatThrownBy(() -> read("client: {journeys: " + journeys + "}\n")).hasMessageContaining(message);
    }

    @Test
    void journeysThatGoThroughOneAnotherTwiceEachAreRefusedAtOnce() {
        // Two moves more than twice those of the next one: 3 of j29, 8 of j28, ... 5,118 of j19, 10,238 of j18.
        StringBuilder journeys = new StringBuilder("j29: {steps: [{name: x}]}");
        for (int i = 28; i >= 0; i--) {
            String next = "{journey: j" + (i + 1) + "}";
            journeys.append(", j" + i + ": {steps: [" + next + ", " + next + "]}");
        }
        assertThatThrownBy(() -> read("client: {journeys: {" + journeys + "}}\n"))
                .hasMessageContaining("client.journeys.j18: expected at most 10000 steps")
                .hasMessageNotContaining("client.journeys.j19: expected");
    }

    @Test
    void aMixBesideJourneysIsRefused() {
        assertThatThrownBy(() -> read("client: {requests: [{name: a}], journeys: {b: {steps: [{name: c}]}}}\n"))
                .hasMessageContaining("expected either a mix of requests or journeys");
    }

    @ParameterizedTest
    @CsvSource({"journeys.by.failed < 1%,Did you mean 'buy'?", "journeys.buy.peak.failed < 1%,journeys.buy.peak"})
    void aThresholdOfNoJourneyIsRefused(String threshold, String message) {
        assertThatThrownBy(() ->
                        read("client: {journeys: {buy: {steps: [{name: c}]}}}\nthresholds: ['" + threshold + "']\n"))
                .hasMessageContaining(message);
    }
}
