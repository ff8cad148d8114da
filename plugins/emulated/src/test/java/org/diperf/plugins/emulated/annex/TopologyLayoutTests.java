package org.diperf.plugins.emulated.annex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.diperf.plugins.emulated.annex.NetworkUsage.Link;
import org.diperf.plugins.emulated.annex.NetworkUsage.Node;
import org.diperf.plugins.emulated.annex.NetworkUsage.Role;
import org.diperf.plugins.emulated.annex.NetworkUsage.Way;
import org.diperf.plugins.emulated.annex.TopologyLayout.Box;
import org.diperf.plugins.emulated.annex.TopologyLayout.Line;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where nodes and links lie in a drawing. */
@Timeout(60)
class TopologyLayoutTests {

    private static final Way WAY = new Way(0, 0, List.of("p"), 0, 0, 0, 0);

    private static Node node(String name, Role role) {
        return new Node(name, 1, "", role);
    }

    private static Link link(String from, String to) {
        return new Link(from + "-" + to, 1, from, to, WAY, WAY);
    }

    private static Box box(TopologyLayout layout, String name) {
        return layout.boxes().stream()
                .filter(box -> box.node().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theServiceIsAtTheRightAndAStarIsStraight() {
        List<Node> nodes = new ArrayList<>(List.of(node("server", Role.SERVICE), node("r", Role.ROUTER)));
        List<Link> links = new ArrayList<>(List.of(link("server", "r")));
        for (int i = 0; i < 50; i++) {
            nodes.add(node("host" + i, Role.TESTERS));
            links.add(link("r", "host" + i));
        }
        TopologyLayout layout = new TopologyLayout(new NetworkUsage(nodes, links, 0, 0, null, List.of()));
        assertThat(box(layout, "host0").x()).isLessThan(box(layout, "r").x());
        assertThat(box(layout, "r").x()).isLessThan(box(layout, "server").x());
        assertThat(layout.lines()).allMatch(line -> line.y1() == line.y2() && !line.isLoop() && !line.isLeftFirst());
        assertThat(layout.lines().stream().map(Line::y1).distinct().count()).isGreaterThanOrEqualTo(50);
        assertThat(layout.boxes()).allMatch(box -> box.y() >= 0 && box.y() + box.height() <= layout.height());
    }

    @Test
    void hostsOfOneRouterLieTogether() {
        List<Node> nodes = new ArrayList<>(List.of(
                node("server", Role.SERVICE), node("r", Role.ROUTER), node("a", Role.ROUTER), node("b", Role.ROUTER)));
        List<Link> links =
                new ArrayList<>(List.of(link("server", "r"), link("r", "a"), link("r", "b"), link("a", "b")));
        for (int i = 0; i < 8; i++) {
            nodes.add(node("host" + i, Role.TESTERS));
            links.add(link("host" + i, i % 2 == 0 ? "a" : "b"));
        }
        TopologyLayout layout = new TopologyLayout(new NetworkUsage(nodes, links, 0, 0, null, List.of()));
        for (int i = 0; i < 8; i += 2) {
            assertThat(box(layout, "host" + i).y())
                    .isLessThan(box(layout, "host1").y());
        }
    }

    @Test
    void noTwoLinksHaveTheirWordsInOnePlace() {
        List<Node> nodes = new ArrayList<>(List.of(node("server", Role.SERVICE)));
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            nodes.add(node("r" + i, Role.ROUTER));
            links.add(link("r" + i, "r" + (i + 1) % 4));
        }
        links.add(link("r0", "server"));
        links.add(link("r0", "r2"));
        links.add(link("r1", "r3"));
        TopologyLayout layout = new TopologyLayout(new NetworkUsage(nodes, links, 0, 0, null, List.of()));
        List<Line> lines = layout.lines();
        for (Line line : lines) {
            assertThat(lines.stream()
                            .filter(other ->
                                    other.x1() == line.x1() && Math.abs(other.y1() - line.y1()) < TopologyLayout.PITCH))
                    .containsExactly(line);
        }
        // Of the full mesh of r1, r2 and r3, all as far from the service, each link leaves both its nodes at the right.
        assertThat(lines.stream().filter(Line::isLoop)).hasSize(3);
        assertThat(layout.width())
                .isGreaterThan(lines.stream().mapToInt(Line::x1).max().orElse(0));
    }
}
