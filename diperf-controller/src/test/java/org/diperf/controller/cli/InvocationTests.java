package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InvocationTests {

    @Test
    void aCommandIsCalledAsTheProgramWas() {
        assertThat(Invocation.program("./diperf", "/x/diperf-controller.jar", "/jdk/bin/java"))
                .isEqualTo("./diperf");
        assertThat(Invocation.program("/opt/with space/diperf", "", "java")).isEqualTo("'/opt/with space/diperf'");
        assertThat(Invocation.program(null, "target/diperf-controller.jar", "java"))
                .isEqualTo("java -jar target/diperf-controller.jar");
        assertThat(Invocation.program(null, "my jars/diperf.jar", "/jdk 21/bin/java"))
                .isEqualTo("'/jdk 21/bin/java' -jar 'my jars/diperf.jar'");
        assertThat(Invocation.program(null, "target/classes:lib/netty.jar", "java"))
                .isEqualTo("diperf");
    }

    @Test
    void itsArgumentsAreQuotedForAShell() {
        assertThat(Invocation.command("run", "r & <o>/experiment.yml"))
                .isEqualTo("diperf run 'r & <o>/experiment.yml'");
    }
}
