package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutOfMemoryNoticeTests {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void theyNameTheHeapAndWhatToDo() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        new OutOfMemoryNotice(said, 256L << 20).say();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("256 MiB", "-Xmx", "diperf run --resume DIR")
                .endsWith("\n");
    }

    @Test
    void sayingThemTakesNoMemory() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (FileOutputStream to = new FileOutputStream(folder.resolve("said").toFile())) {
            OutOfMemoryNotice words = new OutOfMemoryNotice(to, 1 << 20);
            words.say();
            long own = Thread.currentThread().getId();
            long asking = threads.getThreadAllocatedBytes(own);
            asking = threads.getThreadAllocatedBytes(own) - asking;
            long before = threads.getThreadAllocatedBytes(own);
            words.say();
            assertThat(threads.getThreadAllocatedBytes(own) - before).isEqualTo(asking);
        }
        assertThat(Files.readString(folder.resolve("said")).lines()).hasSize(2);
    }
}
