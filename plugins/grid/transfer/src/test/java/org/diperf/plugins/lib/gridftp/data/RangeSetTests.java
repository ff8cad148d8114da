package org.diperf.plugins.lib.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class RangeSetTests {

    @Test
    void whatTouchesBecomesOneRange() {
        RangeSet ranges = new RangeSet();
        ranges.add(10, 20);
        ranges.add(30, 40);
        ranges.add(5, 5);
        assertThat(ranges).hasToString("10-20,30-40");
        ranges.add(20, 30);
        assertThat(ranges).hasToString("10-40");
        ranges.add(0, 10);
        assertThat(ranges.isAllOf(40)).isTrue();
        assertThat(ranges.isAllOf(39)).isFalse();
        assertThat(ranges.isAllOf(41)).isFalse();
        assertThat(new RangeSet().isAllOf(0)).isTrue();
    }

    @Test
    void whatIsMissingIsAllBetween() {
        RangeSet ranges = new RangeSet();
        ranges.add(2, 4);
        ranges.add(8, 12);
        assertThat(ranges.missing(10)).containsExactly(new RangeSet.Range(0, 2), new RangeSet.Range(4, 8));
        assertThat(ranges.missing(20))
                .containsExactly(new RangeSet.Range(0, 2), new RangeSet.Range(4, 8), new RangeSet.Range(12, 20));
        assertThat(new RangeSet().missing(0)).isEmpty();
    }

    @Test
    void rangesSayTheSameAsBits() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            RangeSet ranges = new RangeSet();
            BitSet bits = new BitSet();
            for (int i = 0; i < 12; i++) {
                int from = random.nextInt(60);
                int to = from + random.nextInt(12);
                ranges.add(from, to);
                bits.set(from, to);
            }
            assertThat(ranges.total()).as(ranges::toString).isEqualTo(bits.cardinality());
            RangeSet copy = ranges.copy();
            List<RangeSet.Range> missing = copy.missing(80);
            assertThat(missing.stream().mapToLong(RangeSet.Range::bytes).sum()).isEqualTo(80 - bits.cardinality());
            missing.forEach(range -> copy.add(range.from(), range.to()));
            assertThat(copy.isAllOf(80)).isTrue();
            assertThat(ranges.total()).isEqualTo(bits.cardinality());
        }
    }
}
