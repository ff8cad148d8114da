package org.diperf.controller.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.diperf.controller.durability.Order.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * In no way through kills, a full disk, cuts and resuming does the order of the code lose a block that a tester has
 * forgotten, even if the machine fails in any state on the way. The order that it had before did so in three ways.
 */
@Timeout(60)
class DurabilityModelTests {

    private static final int[] FEW = {2, 1};

    private static Walk.@Nullable Loss loss(Order order) {
        return new Walk(order, FEW, 1, 1, 1).loss();
    }

    @Test
    void theOrderOfTheCodeLosesNothing() {
        Walk walk = new Walk(Order.TODAY, FEW, 1, 1, 1);
        assertThat(walk.loss()).isNull();
        assertThat(walk.states()).isGreaterThan(10_000);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    @Timeout(600)
    void theOrderOfTheCodeLosesNothingHoweverOftenThingsFail() {
        assertThat(new Walk(Order.TODAY, new int[] {2, 2}, 2, 2, 1).loss()).isNull();
    }

    @Test
    void aResumedRunThatSaidByeFirstLostWhatTestersKept() {
        Order order =
                new Order(Order.TODAY.start(), Order.TODAY.commit(), Order.TODAY.end(), Order.BEFORE.resumedEnd());
        assertThat(loss(order))
                .isNotNull()
                .asString()
                .startsWith("nobody has block")
                .contains("RESUME", "BYE", "bye");
    }

    @Test
    void aRunThatLookedForAFailureOnceLostItsLastBlocks() {
        Order order =
                new Order(Order.TODAY.start(), Order.TODAY.commit(), Order.BEFORE.end(), Order.TODAY.resumedEnd());
        assertThat(loss(order))
                .isNotNull()
                .asString()
                .matches("(nobody has|the run is over without|a power cut loses how) .*")
                .contains("FULL")
                .doesNotContain("KILL");
    }

    @Test
    void aControllerThatForcedSamplesAloneLostThemWithTheMachine() {
        Order order =
                new Order(Order.BEFORE.start(), Order.BEFORE.commit(), Order.TODAY.end(), Order.TODAY.resumedEnd());
        assertThat(loss(order)).isNotNull().asString().startsWith("a power cut loses");
    }

    @Test
    void blocksThatAreWrittenBeforeTheirClockAreLostWhenAKillComesBetween() {
        List<Step> commit =
                List.of(Step.APPEND, Step.WRITE_CLOCK, Step.SYNC_CLOCK, Step.SYNC_SAMPLES, Step.ACKNOWLEDGE);
        Order order = new Order(Order.TODAY.start(), commit, Order.TODAY.end(), Order.TODAY.resumedEnd());
        assertThat(loss(order)).isNotNull().asString().contains("APPEND, KILL, RESUME");
    }

    @Test
    void noStepThatForcesSomethingCanBeLeftOut() {
        assertThat(Order.TODAY.eachWithoutASync())
                .hasSizeGreaterThan(5)
                .allSatisfy(
                        order -> assertThat(loss(order)).as(order.toString()).isNotNull());
    }
}
