package org.diperf.tester.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ThreadSchedulingTests {

    @Test
    void systemsWithoutKnownNumbersAreLeftAlone() {
        assertThat(ThreadScheduling.calls("Mac OS X", "aarch64")).isEqualTo(new ThreadScheduling.Calls(-1, -1));
        assertThat(ThreadScheduling.calls("Linux", "riscv64")).isEqualTo(new ThreadScheduling.Calls(-1, -1));
    }

    @Test
    void theCompilersAreNiceAfterwards() throws Exception {
        assumeTrue(ThreadScheduling.calls(System.getProperty("os.name"), System.getProperty("os.arch"))
                        .setPriority()
                > 0);
        ThreadScheduling.ask();
        List<Path> tasks;
        try (var all = Files.list(Path.of("/proc/self/task"))) {
            tasks = all.toList();
        }
        int compilers = 0;
        for (Path task : tasks) {
            if (Files.readString(task.resolve("comm")).startsWith("C1 CompilerThre")) {
                String stat = Files.readString(task.resolve("stat"));
                // The nice value is the 19th field; the name, in brackets, is the second.
                assertThat(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16])
                        .isEqualTo("5");
                compilers++;
            }
        }
        assertThat(compilers).isPositive();
    }
}
