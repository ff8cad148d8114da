package org.diperf.analyzer.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.diperf.analyzer.report.SyntheticRuns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FindingTests {

    @Test
    void ofClosedLoadNamesClientsAndTheKnee() {
        assertThat(Finding.sentence(SyntheticRuns.saturation()))
                .startsWith("api answered 400 calls/s with 64 clients (431/s at best); median response ")
                .contains("failed. Throughput stopped growing at about 2");
    }

    @Test
    void ofOpenLoadSaysWhatWasOfferedAndWhatWasNeverSent() {
        assertThat(Finding.sentence(SyntheticRuns.openWithDrops()))
                .startsWith("orders answered 150 calls/s of 200/s offered; ")
                .endsWith("; 0.025 % of 12,160 calls failed, 1.46 % were never sent.");
    }

    @Test
    void ofOneCallIsInTheSingular() {
        assertThat(Finding.sentence(SyntheticRuns.oneCall()))
                .isEqualTo("one answered 1.00 calls/s with 1 client; median response 3.50 ms, 99 % within 3.50 ms;"
                        + " the only call succeeded.");
    }

    @Test
    void withoutAnOkCallClaimsNoNumbers() {
        assertThat(Finding.sentence(SyntheticRuns.empty())).isEqualTo("No call was made.");
        assertThat(Finding.sentence(SyntheticRuns.allFailed()))
                .isEqualTo("No call succeeded: all 50 failed, with connection refused.");
    }
}
