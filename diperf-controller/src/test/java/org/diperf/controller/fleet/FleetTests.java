package org.diperf.controller.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.diperf.core.experiment.FleetSettings;
import org.diperf.core.experiment.FleetSettings.WhenLost;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of the nodes that qualify the best are taken, and of each other one it is said why not. */
@Timeout(10)
public class FleetTests {

    private static Node node(String name, double cores, double load, double rtt, String site) {
        Map<String, Double> measures = new LinkedHashMap<>();
        measures.put(Node.CORES, cores);
        measures.put(Node.LOAD, load);
        measures.put(Node.RTT, rtt);
        return new Node(name, Map.of("site", site), measures, Map.of(), "");
    }

    private static Node broken(String name) {
        return new Node(name, Map.of(), Map.of(), Map.of(), "connection refused; is sshd running?");
    }

    public static FleetSettings choice(String require, int nodes, int perNode) {
        return new FleetSettings(WhenLost.CONTINUE, 1, Duration.ofMinutes(10), require, nodes, perNode);
    }

    private static List<String> chosen(Fleet fleet) {
        return fleet.candidates().stream()
                .filter(Candidate::chosen)
                .map(each -> each.node().name())
                .toList();
    }

    private static String reason(Fleet fleet, String node) {
        return fleet.candidates().stream()
                .filter(each -> each.node().name().equals(node))
                .findFirst()
                .orElseThrow()
                .reason();
    }

    @Test
    void theLeastLoadedPerCoreAreTakenThenTheNearestThenTheFirst() {
        List<Node> nodes = List.of(
                node("busy", 2, 2, 1, "lan"),
                node("far", 4, 1, 80, "wan"),
                node("near", 4, 1, 2, "lan"),
                node("idle", 1, 0, 90, "wan"));

        Fleet fleet = Fleet.of(nodes, choice("", 2, 1), 0);

        assertThat(chosen(fleet)).containsExactly("near", "idle");
        assertThat(reason(fleet, "far")).contains("2 better nodes were enough");
        assertThat(fleet.places()).containsExactly(new Place(1, "near"), new Place(2, "idle"));
    }

    @Test
    void whatDoesNotQualifyIsSkippedWithWhatWasFound() {
        List<Node> nodes = List.of(
                node("small", 1, 0, 1, "lan"),
                broken("down"),
                node("good", 8, 0, 1, "lan"),
                node("far", 8, 0, 1, "wan"));

        Fleet fleet = Fleet.of(nodes, choice("cores >= 2 && site == lan", 0, 2), 0);

        assertThat(chosen(fleet)).containsExactly("good");
        assertThat(reason(fleet, "small")).contains("cores >= 2 && site == lan", "cores 1");
        assertThat(reason(fleet, "far")).contains("site wan");
        assertThat(reason(fleet, "down")).contains("connection refused");
        assertThat(fleet.testers()).isEqualTo(2);
        assertThat(fleet.members(List.of(2, 1)))
                .extracting(
                        Member::tester, Member::slot, member -> member.labels().get("site"))
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple(2, 1, "lan"),
                        org.assertj.core.api.Assertions.tuple(1, 2, "lan"));
    }

    @Test
    void whatWasNotMeasuredDoesNotQualifyAndComesLast() {
        Node unknown = new Node("unknown", Map.of(), Map.of(), Map.of(), "");
        List<Node> nodes = List.of(unknown, node("known", 2, 1, 1, "lan"));

        assertThat(chosen(Fleet.of(nodes, choice("", 1, 1), 0))).containsExactly("known");
        assertThat(reason(Fleet.of(nodes, choice("load < 4", 0, 1), 0), "unknown"))
                .contains("not measured");
    }

    @Test
    void aWordThatIsNeitherMeasureNorLabelIsNamedWithTheNearest() {
        assertThatThrownBy(() -> Fleet.of(List.of(node("a", 1, 0, 1, "lan")), choice("sit == lan", 0, 1), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'sit'")
                .hasMessageContaining("site");
    }

    @Test
    void testersThatWereAskedForUseAsManyNodesAsTheyNeed() {
        List<Node> nodes = List.of(node("a", 1, 0, 1, "x"), node("b", 1, 0, 2, "x"), node("c", 1, 0, 3, "x"));

        Fleet three = Fleet.of(nodes, choice("", 0, 2), 3);

        assertThat(chosen(three)).containsExactly("a", "b");
        assertThat(three.places()).containsExactly(new Place(1, "a"), new Place(2, "b"), new Place(3, "a"));
        Fleet tooFew = Fleet.of(nodes, choice("", 0, 2), 9);
        assertThat(tooFew.testers()).isEqualTo(6);
        assertThat(tooFew.expected()).isEqualTo(9);
    }

    @Test
    void aReplacementGoesToTheSameNodeWhileItQualifiesElseToOneWithRoom() {
        List<Node> nodes = List.of(node("a", 1, 0, 1, "x"), node("b", 1, 0, 2, "x"), node("c", 1, 0, 3, "x"));
        Fleet fleet = Fleet.of(nodes, choice("", 2, 1), 0);

        assertThat(fleet.replacement(3, 1, nodes, Set.of(1))).isEqualTo(new Place(3, "a"));
        List<Node> withoutA = List.of(broken("a"), nodes.get(1), nodes.get(2));
        assertThat(fleet.replacement(4, 3, withoutA, Set.of(1, 3))).isEqualTo(new Place(4, "c"));
        assertThat(fleet.replacement(5, 2, List.of(broken("a"), broken("b"), nodes.get(2)), Set.of(1, 2, 3)))
                .isNull();
        assertThat(fleet.node(4)).isEqualTo(nodes.get(2));
    }

    @Test
    void noChosenNodeIsWorseThanOneThatQualifiesAndWasNotChosen() {
        long seed = 20_261_121;
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            List<Node> nodes = new ArrayList<>();
            int count = 1 + random.nextInt(12);
            for (int i = 0; i < count; i++) {
                nodes.add(
                        random.nextInt(4) == 0
                                ? broken("n" + i)
                                : node(
                                        "n" + i,
                                        1 + random.nextInt(3),
                                        random.nextInt(4),
                                        random.nextInt(3),
                                        random.nextBoolean() ? "lan" : "wan"));
            }
            int wanted = 1 + random.nextInt(6);
            int perNode = 1 + random.nextInt(3);
            Fleet fleet = Fleet.of(nodes, choice("cores >= 2", wanted, perNode), 0);
            String where = "seed " + seed + ", round " + round;

            List<Node> good = nodes.stream()
                    .filter(node -> node.usable() && measure(node, Node.CORES) >= 2)
                    .toList();
            List<String> chosen = chosen(fleet);
            assertThat(chosen).as(where).hasSize(Math.min(wanted, good.size()));
            assertThat(fleet.testers()).as(where).isEqualTo(chosen.size() * perNode);
            Set<Integer> testers = new HashSet<>();
            fleet.places().forEach(place -> {
                testers.add(place.tester());
                assertThat(chosen).as(where).contains(place.node());
            });
            assertThat(testers).as(where).hasSize(fleet.testers());
            for (Node in : good) {
                for (Node out : good) {
                    if (chosen.contains(in.name()) && !chosen.contains(out.name())) {
                        assertThat(measure(in, Node.LOAD) / measure(in, Node.CORES))
                                .as(where)
                                .isLessThanOrEqualTo(measure(out, Node.LOAD) / measure(out, Node.CORES));
                    }
                }
            }
        }
    }

    private static double measure(Node node, String name) {
        return node.measures().getOrDefault(name, Double.NaN);
    }
}
