package org.diperf.controller.run;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.diperf.controller.course.LoadSchedule;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.FleetTests;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.live.LiveView;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.ShareRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.spi.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class PlanSharesTests {

    @TempDir
    private Path folder;

    private Experiment experiment(String more) throws Exception {
        Path file = Files.writeString(folder.resolve("e.yml"), "target: tcp://127.0.0.1:1\nseed: 1\n" + more);
        return ExperimentFile.read(file, List.of(), Plugins.bundled()).experiment();
    }

    private static Node node(String name, String site) {
        return new Node(name, Map.of("site", site), Map.of(), Map.of(), "");
    }

    private static PlanShares divide(Experiment experiment, Fleet fleet) throws RunFailedException {
        List<Integer> all = IntStream.rangeClosed(1, fleet.testers()).boxed().toList();
        return PlanShares.of(experiment, course(experiment), fleet.members(all), fleet::groupOf);
    }

    private static LoadSchedule course(Experiment experiment) {
        return LoadSchedule.of(experiment.load(), new LiveView(0));
    }

    private static List<Group> groups(Experiment experiment) {
        return ((LoadSettings.Groups) experiment.load()).groups();
    }

    @Test
    void testersOnNodesWithTheFirstLabelHaveTheFirstClients() throws Exception {
        Experiment experiment = experiment("testbed: { testers: 4 }\n"
                + "load: { clients: 8, run-for: 1s, placement: fill, order: [site=wan, site=lan] }\n");
        List<Node> nodes = List.of(node("a", "lan"), node("b", "wan"), node("c", "here"), node("d", "wan"));
        PlanShares division = divide(experiment, Fleet.of(nodes, FleetTests.choice("", 0, 1), 4));
        assertThat(division.members())
                .extracting(member -> requireNonNull(member.node()).name())
                .containsExactly("b", "d", "a", "c");
        Plan plan = division.seat(1).plan();
        assertThat(plan.numbering().slotOf(0, 4)).isEqualTo(1);
        assertThat(plan.numbering().slotOf(7, 4)).isEqualTo(4);
        assertThat(requireNonNull(division.records()))
                .containsExactly(new ShareRecord(null, "", "fill", 0, 8, 0, 1, 4));
    }

    @Test
    void groupsOfATestbedWithoutNodesTakeTheNextTesters() throws Exception {
        Experiment experiment = experiment("groups:\n"
                + "  lan: { testers: 2, load: { clients: 4, run-for: 10s } }\n"
                + "  wan: { start-after: 3s, load: { stages: [{for: 1s, clients: 2}, {for: 1s}] } }\n");
        PlanShares division =
                divide(experiment, Fleet.withoutNodes(FleetTests.choice("", 0, 1), 3, groups(experiment)));
        assertThat(division.testers()).isEqualTo(3);
        assertThat(division.seat(3).slot()).isEqualTo(1);
        Plan wan = division.seat(3).plan();
        assertThat(wan.stages()).extracting(Stage::number).containsExactly(1, 2);
        assertThat(wan.stages()).extracting(Stage::startNanos).containsExactly(3_000_000_000L, 4_000_000_000L);
        assertThat(wan.clientAt(1, 0)).isEqualTo(4);
        assertThat(division.lengthNanos()).isEqualTo(10_000_000_000L);
        List<StageRecord> records = RunRecordBuilder.stages(division, course(experiment), 500_000_000L);
        assertThat(records).extracting(StageRecord::number).containsExactly(0, 1, 2);
        assertThat(records).extracting(StageRecord::group).containsExactly("lan", "wan", "wan");
        assertThat(records)
                .allSatisfy(stage -> assertThat(stage.endNanos()).isGreaterThanOrEqualTo(stage.startNanos()));
    }

    @Test
    void aGroupOfFewerTestersThanItWantedKeepsItsLoadAndSaysSo() throws Exception {
        Experiment experiment = experiment("groups:\n"
                + "  lan: { testers: 2, load: { clients: 4, run-for: 10s } }\n"
                + "  wan: { load: { clients: 1, run-for: 1s } }\n");
        Fleet fleet = Fleet.withoutNodes(FleetTests.choice("", 0, 1), 3, groups(experiment));
        PlanShares division =
                PlanShares.of(experiment, course(experiment), fleet.members(List.of(2, 3)), fleet::groupOf);
        assertThat(division.seat(1).plan().testers()).isEqualTo(1);
        assertThat(division.warnings()).singleElement().asString().contains("'lan' had 1 of the 2 testers");
        assertThatThrownBy(() ->
                        PlanShares.of(experiment, course(experiment), fleet.members(List.of(1, 2)), fleet::groupOf))
                .hasMessageContaining("No tester of group 'wan' has joined");
    }

    @Test
    void eachGroupTakesTheNodesThatFitIt() throws Exception {
        Experiment experiment = experiment("groups:\n"
                + "  any: { testers: 2, load: { clients: 4, run-for: 10s } }\n"
                + "  wan: { where: site == wan, testers: 3, load: { clients: 4, run-for: 10s } }\n");
        List<Node> nodes = List.of(node("w1", "wan"), node("l1", "lan"), node("w2", "wan"), node("l2", "lan"));
        Fleet fleet = Fleet.of(nodes, FleetTests.choice("", 0, 2), 5, groups(experiment));
        PlanShares division = divide(experiment, fleet);
        assertThat(division.members())
                .extracting(member -> requireNonNull(member.node()).name())
                .containsExactly("l1", "l1", "w1", "w2", "w1");
        assertThat(fleet.candidates())
                .filteredOn(each -> !each.chosen())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).contains("no group needed it"));
        assertThatThrownBy(() -> Fleet.of(nodes.subList(1, 2), FleetTests.choice("", 0, 2), 5, groups(experiment)))
                .hasMessageContaining("Group 'wan' expected testers where site == wan, got no matching node")
                .hasMessageContaining("l1 has {site=lan}");
    }

    @Test
    void whereNeedsATestbedThatKnowsItsNodes() throws Exception {
        Experiment experiment =
                experiment("groups: { lan: { where: site == lan, load: { clients: 4, run-for: 10s } } }\n");
        assertThatThrownBy(() -> Fleet.withoutNodes(FleetTests.choice("", 0, 1), 1, groups(experiment)))
                .hasMessageContaining("drop 'where'");
    }

    @Test
    void everyClientOfEveryGroupIsOnExactlyOneTester() throws Exception {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int trial = 0; trial < 20; trial++) {
            StringBuilder file = new StringBuilder("groups:\n");
            int all = 0;
            int testers = 0;
            for (int group = random.nextInt(1, 6); group > 0; group--) {
                int own = random.nextInt(1, 5);
                int clients = random.nextInt(own, 30);
                file.append("  g")
                        .append(group)
                        .append(": { testers: ")
                        .append(own)
                        .append(", load: { clients: ");
                file.append(clients).append(", run-for: 10s, placement: ");
                file.append(random.nextBoolean() ? "fill" : "round-robin").append(" } }\n");
                all += clients;
                testers += own;
            }
            Experiment experiment = experiment(file.toString());
            PlanShares division =
                    divide(experiment, Fleet.withoutNodes(FleetTests.choice("", 0, 1), testers, groups(experiment)));
            List<Integer> found = new ArrayList<>();
            for (int slot = 1; slot <= testers; slot++) {
                PlanShares.PlanSlot seat = division.seat(slot);
                for (int i = 0;
                        i
                                < seat.plan()
                                        .clientsOf(
                                                seat.slot(),
                                                seat.plan().stages().get(0).load());
                        i++) {
                    found.add(seat.plan().clientAt(seat.slot(), i));
                }
            }
            assertThat(found.stream().sorted().toList())
                    .as("seed %d: %s", seed, file)
                    .isEqualTo(IntStream.range(0, all).boxed().toList());
        }
    }
}
