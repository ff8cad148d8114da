package org.diperf.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ids of calls. */
@Timeout(30)
class TraceIdsTests {

    @Test
    void aParentNamesTheTraceAsTheRecommendationWritesIt() {
        String trace = TraceIds.trace(42, 3, 17, 0);
        String parent = TraceIds.parent(42, 3, 17, 0);

        assertThat(trace).matches("[0-9a-f]{32}").isNotEqualTo("0".repeat(32));
        assertThat(parent).hasSize(TraceIds.PARENT_LENGTH).matches("00-" + trace + "-[0-9a-f]{16}-01");
        assertThat(TraceIds.trace(42, 3, 17, 0)).isEqualTo(trace);
        assertThat(TraceIds.link("http://host/trace/${id}?x=${id}", trace))
                .isEqualTo("http://host/trace/" + trace + "?x=" + trace);
    }

    @Test
    void idsAreThoseOfAllVersions() {
        // Whoever has samples of an old run must find its calls: these never change.
        assertThat(TraceIds.parent(1, 0, 0, 0)).isEqualTo("00-3757231de6a562ddb4d87d4115a3248e-edc2549955734687-01");
        assertThat(TraceIds.parent(-7, 12_345, 1L << 40, 3))
                .isEqualTo("00-79f23188a5f4e75ff3a165c6426f630b-6602b8ca685801d5-01");
    }

    @Test
    void noTwoCallsHaveTheSame() {
        Set<String> traces = new HashSet<>();
        Set<String> spans = new HashSet<>();
        int calls = 0;
        for (long seed = 0; seed < 3; seed++) {
            for (int client = 0; client < 40; client++) {
                for (int request = 0; request < 3; request++) {
                    for (long call = 0; call < 300; call++) {
                        traces.add(TraceIds.trace(seed, client, call, request));
                        spans.add(TraceIds.parent(seed, client, call, request).substring(36, 52));
                        calls++;
                    }
                }
            }
        }
        assertThat(traces).hasSize(calls);
        assertThat(spans).hasSize(calls);
    }
}
