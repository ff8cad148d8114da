package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a name server remembers, and for how long. */
@Timeout(60)
class RegistryTests {

    private final ManualClock clock = new ManualClock();
    private final Registry registry = new Registry(clock);

    private List<Attributes> found(String filter) {
        return Attributes.readAll(registry.search(Filter.read(filter)));
    }

    private static Attributes host(String name, String port) {
        return Attributes.of("name", name, "objectclass", "nwsHost", "port", port);
    }

    @Test
    void anObjectIsThereUntilItsTimeIsUp() {
        assertThat(registry.register(host("a", "1"), 10)).isTrue();
        clock.advanceSeconds(9.9);
        assertThat(found("name=a")).containsExactly(host("a", "1"));
        clock.advanceSeconds(0.1);
        assertThat(found("name=a")).isEmpty();
    }

    @Test
    void whoRegistersAgainStays() {
        registry.register(host("a", "1"), 10);
        clock.advanceSeconds(8);
        registry.register(host("a", "1"), 10);
        clock.advanceSeconds(8);
        assertThat(found("name=a")).hasSize(1);
    }

    @Test
    void timeZeroMeansForever() {
        registry.register(host("a", "1"), 0);
        clock.advanceSeconds(1e6);
        assertThat(found("name=a")).hasSize(1);
    }

    @Test
    void theLongestTimeOf32BitsIsATime() {
        registry.register(host("a", "1"), 0xffff_ffffL);
        clock.advanceSeconds(100);
        assertThat(found("name=a")).hasSize(1);
    }

    @Test
    void anObjectReplacesTheOneOfItsName() {
        registry.register(host("a", "1"), 10);
        registry.register(host("a", "2"), 10);
        assertThat(found("objectclass=nwsHost")).containsExactly(host("a", "2"));
    }

    @Test
    void whatFitsIsForgotten() {
        registry.register(host("a", "1"), 10);
        registry.register(host("b", "1"), 10);
        registry.unregister(Filter.read("(name=a)"));
        assertThat(found("(port=1)")).containsExactly(host("b", "1"));
    }

    @Test
    void aFullServerRefusesNewNamesAndKeepsTheOldOnes() {
        for (int i = 0; i < Registry.MAX_OBJECTS; i++) {
            assertThat(registry.register(host("h" + i, "1"), 10)).isTrue();
        }
        assertThat(registry.register(host("one more", "1"), 10)).isFalse();
        assertThat(registry.register(host("h7", "2"), 10)).isTrue();
        clock.advanceSeconds(11);
        assertThat(registry.register(host("one more", "1"), 10)).isTrue();
    }

    @Test
    void objectsTogetherAreBoundedByTheirLength() {
        String long16k = "x".repeat(Attributes.MAX_CHARS - 100);
        int taken = 0;
        while (registry.register(Attributes.of("name", "n" + taken, "v", long16k), 10)) {
            taken++;
        }
        assertThat(taken * (long) Attributes.MAX_CHARS)
                .isBetween(Registry.MAX_CHARS - 100_000, Registry.MAX_CHARS + 100_000);
        assertThat(registry.search(Filter.read("(name=*)")).length()).isLessThan(Link.MAX_BYTES);
    }

    @Test
    void whatIsNoObjectIsRefused() {
        assertThat(registry.register(Attributes.of("port", "1"), 10)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> Attributes.read("name"));
        assertThatIllegalArgumentException().isThrownBy(() -> Attributes.read(":x"));
        assertThatIllegalArgumentException().isThrownBy(() -> Attributes.read("a:b\nc"));
        assertThatIllegalArgumentException().isThrownBy(() -> Attributes.of("a", "b\tc"));
        assertThatIllegalArgumentException().isThrownBy(() -> Attributes.read("a:" + "x".repeat(20_000)));
    }

    @Test
    void anObjectIsWrittenAsNwsWritesIt() {
        assertThat(host("a:8060", "1").text()).isEqualTo("name:a:8060\tobjectclass:nwsHost\tport:1\t\t");
        assertThat(Attributes.read("name:a:8060\tobjectclass:nwsHost\tport:1\t\t"))
                .isEqualTo(host("a:8060", "1"));
    }
}
