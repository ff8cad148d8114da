package org.diperf.plugins.emulated.annex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.contract.AnnexContract;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.Annex.Amount;
import org.diperf.core.spi.Annex.Asked;
import org.diperf.core.spi.Annex.Cell;
import org.diperf.core.spi.Annex.Fact;
import org.diperf.core.spi.Annex.Table;
import org.diperf.core.spi.Annex.What;
import org.diperf.plugins.emulated.annex.NetworkUsage.Carried;
import org.diperf.plugins.emulated.annex.NetworkUsage.Link;
import org.diperf.plugins.emulated.annex.NetworkUsage.Node;
import org.diperf.plugins.emulated.annex.NetworkUsage.Role;
import org.diperf.plugins.emulated.annex.NetworkUsage.Times;
import org.diperf.plugins.emulated.annex.NetworkUsage.Way;
import org.diperf.plugins.emulated.routing.Rerouting;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a run shows of a network with a round trip of 10 ms. */
@Timeout(60)
class NetworkAnnexTests extends AnnexContract {

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final Times LATE = new Times(20_000, 61_000, 5 * MILLI);
    private static final Carried TUN =
            new Carried("tun", 1000, LATE, null, new Times(10_000, 100_000, MILLI), 0L, 0, 7);
    private static final Carried NETEM = new Carried("netem", 1000, LATE, 12_345L, null, 0L, 0, 0);
    private static final List<Rerouting> REROUTINGS = List.of(
            new Rerouting("link bone: down", 11 * SECOND, true, 11_660 * MILLI, 11_750 * MILLI),
            new Rerouting("link bone: up", 25 * SECOND, false, null, null));

    private static Way way(double rate, String... parts) {
        return new Way(rate, 5 * MILLI, List.of(parts), 40, 4000, 1, 2);
    }

    private static NetworkUsage network(@Nullable Carried carried, List<Rerouting> reroutings) {
        return new NetworkUsage(
                List.of(
                        new Node("user & co", 2, "wan", Role.TESTERS),
                        new Node("server-of-a-long-name-42", 1, "", Role.SERVICE)),
                List.of(new Link(
                        "bone",
                        2,
                        "user & co",
                        "server-of-a-long-name-42",
                        way(8000, "bone-1.there", "bone-2.there"),
                        way(0, "bone-1.back", "bone-2.back"))),
                10 * MILLI,
                3 * MILLI,
                carried,
                reroutings);
    }

    private static NetworkUsage star(int hosts) {
        List<Node> nodes =
                new ArrayList<>(List.of(new Node("server", 1, "", Role.SERVICE), new Node("r", 1, "", Role.ROUTER)));
        List<Link> links =
                new ArrayList<>(List.of(new Link("r-server", 1, "r", "server", way(0, "x.there"), way(0, "x.back"))));
        for (int i = 0; i < hosts; i++) {
            nodes.add(new Node("host-" + i, 1, "", Role.TESTERS));
            links.add(new Link("l" + i, 1, "r", "host-" + i, way(0, i + ".there"), way(0, i + ".back")));
        }
        return new NetworkUsage(nodes, links, 0, 0, null, List.of());
    }

    private static Annex annex(@Nullable Carried carried) {
        return NetworkAnnex.of(network(carried, List.of()), false);
    }

    @Override
    protected List<Annex> annexes() {
        return List.of(
                annex(TUN),
                annex(NETEM),
                annex(null),
                NetworkAnnex.of(network(TUN, REROUTINGS), true),
                NetworkAnnex.of(star(3), false),
                NetworkAnnex.of(star(1_500), false));
    }

    private static Cell cell(Annex annex, String table, int row, String column) {
        Table of = annex.tables().stream()
                .filter(each -> each.name().equals(table))
                .findFirst()
                .orElseThrow();
        int index = of.columns().stream().map(Annex.Column::name).toList().indexOf(column);
        return of.rows().get(row).get(index);
    }

    @Test
    void theLatenessOfPacketsIsAFactWithItsNumbers() {
        assertThat(annex(TUN).facts())
                .contains(new Fact("engine", "tun"))
                .anyMatch(fact -> fact.name().equals("network")
                        && fact.text().startsWith("packets late by ${lateness.p50} (p50), ${lateness.p99} (p99)"));
        assertThat(annex(TUN).numbers())
                .contains(
                        new Amount("lateness.p99", "ms", Cell.of(0.061)),
                        new Amount("turns.max", "ms", Cell.of(1)),
                        new Amount("shortestRoundTrip", "ms", Cell.of(10)),
                        new Amount("strays", "packets", Cell.of(7)));
        assertThat(annex(TUN).delay()).isEqualTo(new Annex.Delay("emulated network", "late", "late.most", 3 * MILLI));
    }

    @Test
    void latenessOfProbesIsNotTakenForThatOfPackets() {
        assertThat(annex(NETEM).facts())
                .anyMatch(fact -> fact.text().startsWith("${probes} probes late by")
                        && fact.text().contains("sent by netem over a link in addition to the declared ones"));
        assertThat(annex(NETEM).numbers()).noneMatch(number -> number.name().startsWith("turns"));
    }

    @Test
    void ofAKilledRunOnlyTheLinksAreKnown() {
        assertThat(annex(null).facts()).isEmpty();
        assertThat(annex(null).numbers()).hasSize(1);
        assertThat(cell(annex(null), "links", 0, "packets")).isEqualTo(Cell.of(40));
    }

    @Test
    void ofALinkWithoutARateNoUseIsAsked() {
        assertThat(cell(annex(TUN), "links", 0, "use.mean").asked())
                .isEqualTo(new Asked(What.MEAN, List.of("bone-1.there.use", "bone-2.there.use"), 0, 0));
        assertThat(cell(annex(TUN), "links", 1, "use.mean")).isEqualTo(Cell.NONE);
        assertThat(cell(annex(TUN), "links", 1, "rate")).isEqualTo(Cell.NONE);
        assertThat(cell(annex(TUN), "links", 1, "sent.mean").asked())
                .isEqualTo(new Asked(What.SUM, List.of("bone-1.back.rate", "bone-2.back.rate"), 0, 0));
    }

    @Test
    void whatFollowedAChangeIsAskedUntilTheNextOne() {
        Annex annex = NetworkAnnex.of(network(TUN, REROUTINGS), false);
        assertThat(annex.facts())
                .contains(
                        new Fact(
                                "routing",
                                "link bone: down at ${reroutings.1.at}: clients went without an answer for at most "
                                        + "${reroutings.1.outage}"
                                        + " (before ${reroutings.1.outageBefore}); routes restored after"
                                        + " ${reroutings.1.restored}, last route changed after ${reroutings.1.settled}"),
                        new Fact(
                                "routing",
                                "link bone: up at ${reroutings.2.at}: clients went without an answer for at most "
                                        + "${reroutings.2.outage}"
                                        + "; the routes stayed intact"));
        assertThat(cell(annex, "reroutings", 0, "outage")).isEqualTo(Cell.of(What.OUTAGE, 11 * SECOND, 25 * SECOND));
        assertThat(cell(annex, "reroutings", 0, "outageBefore")).isEqualTo(Cell.of(What.PAUSE, SECOND, 11 * SECOND));
        assertThat(cell(annex, "reroutings", 0, "restored")).isEqualTo(Cell.of(660));
        assertThat(cell(annex, "reroutings", 1, "outage")).isEqualTo(Cell.of(What.OUTAGE, 25 * SECOND, Long.MAX_VALUE));
    }

    @Test
    void theDrawingNamesWhatIsFilledIn() {
        assertThat(annex(TUN).drawing())
                .contains(">×2 testers · wan<", ">2 × bone, 8 kbit/s | any rate, 5 ms<")
                .contains(">→ ${links.1.use.mean} / ${links.1.use.max} · ← ${links.2.sent.mean}<")
                .contains("data-load=\"links.1.use.max links.2.use.max\"")
                .contains(">user &amp; co<", ">server-of…ame-42<");
    }

    @Test
    void hostsAreDrawnUnlessThereAreTooMany() {
        assertThat(NetworkAnnex.of(star(3), false).drawing().split("<rect")).hasSize(3 + 2 + 1);
        assertThat(NetworkAnnex.of(star(118), false).drawing()).isNotEmpty();
        assertThat(NetworkAnnex.of(star(119), false).drawing()).isEmpty();
    }

    @Test
    void virtualTimeIsNoted() {
        assertThat(NetworkAnnex.of(network(TUN, List.of()), true).warnings())
                .singleElement()
                .satisfies(remark -> assertThat(remark.isSuspect()).isFalse())
                .satisfies(remark -> assertThat(remark.text()).startsWith("time was virtual"));
    }
}
