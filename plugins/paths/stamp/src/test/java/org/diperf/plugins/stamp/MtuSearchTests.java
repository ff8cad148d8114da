package org.diperf.plugins.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class MtuSearchTests {

    @ParameterizedTest
    @ValueSource(ints = {64, 548, 549, 1_000, 1_472, 8_972, 9_215, 9_216})
    void theLargestIsFoundToTheByte(int path) {
        MtuSearch search = new MtuSearch(64);
        int asked = 0;
        while (search.asking() > 0) {
            asked++;
            if (search.asking() <= path) {
                search.passed();
            } else {
                search.silent();
            }
        }
        assertThat(search.found()).isEqualTo(path);
        assertThat(asked).isLessThan(60);
    }
}
