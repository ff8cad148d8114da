package org.diperf.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.diperf.core.plan.ClientNumbering.Placement;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClientNumberingTests {

    private static final long SEED = new SplittableRandom().nextLong();

    private static Plan plan(int testers, int clients, int stageClients, ClientNumbering numbering, int stage) {
        assertThat(stageClients).isLessThanOrEqualTo(clients);
        Load load = new ClosedLoad(stageClients, 0, 1_000, ThinkTime.NONE, 1_000);
        return new Plan(
                7,
                testers,
                Targets.one(Url.of("test:a")),
                List.of(new Stage(stage, load, 5), new Stage(stage + 1, load, 1_005)),
                false,
                numbering);
    }

    @ParameterizedTest
    @EnumSource(Placement.class)
    void everyClientOfEveryStageIsOnExactlyOneTester(Placement placement) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int trial = 0; trial < 500; trial++) {
            int testers = random.nextInt(1, 40);
            int clients = random.nextInt(testers, testers + 300);
            int ofStage = random.nextInt(1, clients + 1);
            int first = random.nextInt(0, 1_000);
            Plan plan = plan(testers, clients, ofStage, new ClientNumbering(placement, clients, first, 3), 4);
            List<Integer> found = new ArrayList<>();
            for (int slot = 1; slot <= testers; slot++) {
                int own = plan.clientsOf(slot, plan.stages().get(0).load());
                for (int place = 0; place < own; place++) {
                    int client = plan.clientAt(slot, place);
                    assertThat(plan.numbering().slotOf(client, testers))
                            .as("seed %d: tester of client %d in %s", SEED, client, plan)
                            .isEqualTo(slot);
                    found.add(plan.indexOf(client));
                }
            }
            assertThat(found.stream().sorted().toList())
                    .as("seed %d: %s", SEED, plan)
                    .isEqualTo(
                            java.util.stream.IntStream.range(0, ofStage).boxed().toList());
        }
    }

    @ParameterizedTest
    @EnumSource(Placement.class)
    void theSharesOfTestersDifferByOneClientAtMost(Placement placement) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int trial = 0; trial < 200; trial++) {
            int testers = random.nextInt(1, 40);
            int clients = random.nextInt(testers, testers + 300);
            Plan plan = plan(testers, clients, clients, new ClientNumbering(placement, clients, 0, 0), 0);
            for (int slot = 1; slot <= testers; slot++) {
                assertThat(plan.clientsOf(slot, plan.stages().get(0).load()))
                        .as("seed %d: slot %d of %s", SEED, slot, plan)
                        .isBetween(clients / testers, (clients + testers - 1) / testers);
            }
        }
    }

    @Test
    void fillGivesTheFirstClientsToTheFirstTester() {
        Plan plan = plan(3, 8, 8, new ClientNumbering(Placement.FILL, 8, 0, 0), 0);
        assertThat(java.util.stream.IntStream.range(0, 8)
                        .map(client -> plan.numbering().slotOf(client, 3)))
                .containsExactly(1, 1, 1, 2, 2, 2, 3, 3);
    }

    @Test
    void aSmallerStageOfAFilledPlanUsesTheFirstTestersAndLeavesClientsWhereTheyAre() {
        Plan plan = plan(3, 9, 4, new ClientNumbering(Placement.FILL, 9, 0, 0), 0);
        Load load = plan.stages().get(0).load();
        assertThat(List.of(plan.clientsOf(1, load), plan.clientsOf(2, load), plan.clientsOf(3, load)))
                .containsExactly(3, 1, 0);
        assertThat(plan.clientAt(2, 0)).isEqualTo(3);
    }

    @Test
    void clientsOfASecondGroupAreNumberedAfterThoseOfTheFirst() {
        Plan plan = plan(2, 5, 5, new ClientNumbering(Placement.ROUND_ROBIN, 5, 100, 7), 6);
        assertThat(plan.clientAt(1, 0)).isEqualTo(100);
        assertThat(plan.clientAt(2, 1)).isEqualTo(103);
        assertThat(plan.numbering().slotOf(103, 2)).isEqualTo(2);
        assertThat(plan.indexOf(103)).isEqualTo(3);
    }

    @Test
    void stagesOfASecondGroupAreNumberedAfterThoseOfTheFirst() {
        Plan plan = plan(1, 1, 1, ClientNumbering.DEFAULT, 6);
        assertThat(plan.stage(6)).isEqualTo(plan.stages().get(0));
        assertThat(plan.stage(0)).isNull();
        assertThat(plan.stage(8)).isNull();
        assertThat(plan.endNanos(plan.stages().get(0))).isEqualTo(1_005);
    }

    @ParameterizedTest
    @EnumSource(Placement.class)
    void aTesterAnswersForItsClientsAndForNoOthersHoweverFewThereAre(Placement placement) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int trial = 0; trial < 500; trial++) {
            int testers = random.nextInt(1, 12);
            int clients = random.nextInt(1, 40);
            int first = random.nextInt(0, 1_000);
            int growsTo = clients + random.nextInt(0, 20);
            Plan plan = plan(testers, growsTo, clients, new ClientNumbering(placement, growsTo, first, 3), 4);
            for (int slot = 1; slot <= testers; slot++) {
                TesterClients own = plan.own(slot);
                for (int client = 0; client < first + growsTo + 50; client++) {
                    boolean dealt = client >= first
                            && client < first + growsTo
                            && plan.numbering().slotOf(client, testers) == slot;
                    assertThat(own.firstForeign(new long[] {client}, 1) < 0)
                            .as("seed %d: client %d, slot %d of %s", SEED, client, slot, plan)
                            .isEqualTo(dealt);
                }
            }
        }
    }

    @Test
    void theFirstForeignClientOfSeveralIsFoundWhateverNumbersAPeerSends() {
        TesterClients own = new TesterClients(3, 5, 4);
        assertThat(own.firstForeign(new long[] {3, 8, 13, 18, 4}, 4)).isEqualTo(-1);
        assertThat(own.firstForeign(new long[] {3, 8, 13, 18, 4}, 5)).isEqualTo(4);
        for (long client : new long[] {-2, 23, 1L << 32 | 3, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 3}) {
            assertThat(own.firstForeign(new long[] {3, client}, 2))
                    .as("%d", client)
                    .isEqualTo(1);
        }
    }
}
