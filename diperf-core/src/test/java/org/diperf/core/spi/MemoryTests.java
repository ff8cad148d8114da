package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryTests {

    @Test
    void keepersShareOneBoundAndGiveBack() {
        Memory memory = new Memory(100);
        assertThat(memory.resize(0, 60)).isTrue();
        assertThat(memory.resize(0, 41)).isFalse();
        assertThat(memory.kept()).isEqualTo(60);
        assertThat(memory.resize(60, 30)).isTrue();
        assertThat(memory.resize(0, 70)).isTrue();
        assertThat(memory.resize(70, 71)).isFalse();
        assertThat(memory.resize(70, 0)).isTrue();
        assertThat(memory.kept()).isEqualTo(30);
        assertThat(Memory.FULL.fault()).isEqualTo(Fault.GENERATOR);
        assertThat(Memory.FULL.remedy()).contains("testbed.jvm");
    }
}
