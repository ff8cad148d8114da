package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a member promises. */
class GrantsTests {

    private static final long LASTS = 100;

    private final Grants grants = new Grants(0, 0);

    @Test
    void oneThatIsPromisedIsPromisedToNobodyElseUntilItIsOver() {
        assertThat(grants.ask(1, 0, true, LASTS, 10)).isZero();
        assertThat(grants.ask(2, 0, true, LASTS, 50)).isEqualTo(60);
        assertThat(grants.ask(2, 1, false, LASTS, 110)).isZero();
        assertThat(grants.holds(2, 1, 150)).isTrue();
        assertThat(grants.holds(1, 0, 150)).isFalse();
        assertThat(grants.holds(2, 1, 210)).isFalse();
    }

    @Test
    void whoLeadsMayLeadTheNextRoundAndNoEarlierOne() {
        grants.ask(1, 5, true, LASTS, 10);
        assertThat(grants.ask(1, 6, false, LASTS, 90)).isZero();
        assertThat(grants.untilNanos()).isEqualTo(190);
        assertThat(grants.ask(1, 5, false, LASTS, 95)).isEqualTo(95);
    }

    @Test
    void whoWasStartedAnewPromisesNothingUntilWhatItMayHavePromisedIsOver() {
        Grants anew = new Grants(1000, 1000);
        assertThat(anew.ask(3, 8, false, LASTS, 1020)).isEqualTo(80);
        assertThat(anew.ask(3, 8, false, LASTS, 1100)).isZero();
    }

    @Test
    void theFirstRoundOfACliqueNeedNotWait() {
        assertThat(new Grants(1000, 1000).ask(3, 0, true, LASTS, 1001)).isZero();
    }

    @Test
    void whatWasPromisedOfAnEarlierCliqueOfTheNameHoldsAlsoForTheFirstRound() {
        Grants later = new Grants(0, 2000);
        assertThat(later.ask(0, 0, true, LASTS, 1990)).isEqualTo(10);
        assertThat(later.ask(0, 0, true, LASTS, 2000)).isZero();
    }

    @Test
    void onlyItsOwnPromiseIsTakenBack() {
        grants.ask(1, 0, true, LASTS, 10);
        grants.release(2, 0, 20);
        grants.release(1, 1, 20);
        assertThat(grants.ask(2, 0, false, LASTS, 30)).isPositive();
        grants.release(1, 0, 30);
        assertThat(grants.ask(2, 0, false, LASTS, 30)).isZero();
    }
}
