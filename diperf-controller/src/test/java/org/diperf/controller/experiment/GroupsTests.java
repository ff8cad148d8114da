package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.TesterPlacement;
import org.diperf.core.plan.ClientNumbering.Placement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class GroupsTests {

    private static final String TARGET = "target: quote://h/\n";
    private static final String GOOD = TARGET + """
            groups:
              lan: { where: site == lan, testers: 2, load: { clients: 10, run-for: 20m } }
              wan: { where: site == wan && rack == 3, start-after: 5m, load: { open: { rate: 5/s, for: 10m } } }
            """;

    @Test
    void groupsHaveLoadsOfTheirOwnAndTheTestbedAsManyTestersAsTheyWant() throws ExperimentException {
        ExperimentFile.Resolved resolved = Fakes.read(GOOD);
        Experiment experiment = resolved.experiment();
        assertThat(experiment.testbed().testers()).isEqualTo(3);
        LoadSettings.Groups groups = (LoadSettings.Groups) experiment.load();
        assertThat(groups.groups()).extracting(Group::name).containsExactly("lan", "wan");
        assertThat(groups.groups()).extracting(Group::testers).containsExactly(2, 1);
        assertThat(groups.groups().get(1).startAfter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(groups.clients()).isEqualTo(10 + 150);
        assertThat(groups.lengthNanos()).hasValue(Duration.ofMinutes(20).toNanos());
        assertThat(groups.model()).isEqualTo("mixed");
        Experiment again = Fakes.read(resolved.yaml()).experiment();
        assertThat(again).isEqualTo(experiment);
        assertThat(resolved.yaml()).contains("placement: round-robin", "start-after: 0s", "testers: 3");
    }

    @Test
    void aLoadSaysHowItsClientsAreSpread() throws ExperimentException {
        Experiment experiment = Fakes.read(
                        TARGET + "load: { clients: 4, run-for: 1s, placement: fill, order: [site=wan, site=lan] }\n")
                .experiment();
        assertThat(experiment.spread().placement()).isEqualTo(Placement.FILL);
        assertThat(experiment.spread().order())
                .containsExactly(new TesterPlacement.Label("site", "wan"), new TesterPlacement.Label("site", "lan"));
        assertThat(List.of(
                        experiment.spread().rank(Map.of("site", "lan")),
                        experiment.spread().rank(Map.of("site", "wan")),
                        experiment.spread().rank(Map.of())))
                .containsExactly(1, 0, 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|file.yml:2:9: groups: expected groups such as lan|",
                "{a: {}}|file.yml:2:13: groups.a.load: is missing|",
                "{a b: {load: {clients: 1, run-for: 1s}}}|expected names of at most 100 letters|'a b'",
                "{a: {load: {clients: 1, run-for: 1s}, tester: 2}}| got 'tester'. Did you mean 'testers'?|",
                "{a: {clients: 3, load: {clients: 1, run-for: 1s}}}| got 'clients'; it belongs to the load of the group|",
                "{a: {testers: 2, load: {clients: 1, run-for: 1s}}}|groups.a.testers: expected at most as many testers as"
                        + " clients (1), got 2|",
                "{a: {load: {search: {clients: 1..9, while: [failed < 1%]}}}}| got 'search'; levels and searches need a single"
                        + " load|",
                "{a: {load: {levels: {clients: [1], hold: 5s}}}}| got 'levels'; levels and searches need a single load|",
                "{a: {load: {clients: 1, run-for: 1s, placement: filled}}}|groups.a.load.placement: expected one of"
                        + " [round-robin, fill], got 'filled'. Did you mean 'fill'?|",
                "{a: {load: {clients: 1, run-for: 1s, order: [lan]}}}|groups.a.load.order.0: expected a label and its value"
                        + " such as site=lan|",
                "{a: {where: site = lan, load: {clients: 1, run-for: 1s}}}|groups.a.where:|site = lan",
                "{a: {start-after: -1s, load: {clients: 1, run-for: 1s}}}|groups.a.start-after:|",
                "{a: {load: {clients: 1, run-for: 1s, calls: 0}}}|groups.a.load.calls:|",
            })
    void whatIsWrongInGroupsIsSaidWithItsPlace(String groups, String wanted, String and) {
        assertThatThrownBy(() -> Fakes.read(TARGET + "groups: " + groups + "\n"))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining(wanted)
                .hasMessageContaining(and == null ? "" : and);
    }

    @Test
    void loadAndGroupsExcludeEachOther() {
        assertThatThrownBy(() -> Fakes.read(GOOD + "load: { clients: 4, run-for: 10s }\n"))
                .hasMessageContaining("groups: expected either 'load' or 'groups', got both");
    }

    @Test
    void anotherNumberOfTestersThanTheGroupsHaveIsRefused() {
        assertThatThrownBy(() -> Fakes.read(GOOD + "testbed: { testers: 4 }\n"))
                .hasMessageContaining(
                        "testbed.testers: expected as many testers as the groups have in total (3), got 4");
    }
}
