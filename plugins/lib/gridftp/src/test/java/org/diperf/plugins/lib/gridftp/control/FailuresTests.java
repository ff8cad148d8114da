package org.diperf.plugins.lib.gridftp.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.diperf.core.spi.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FailuresTests {

    @Test
    void aFileOnThisSideIsNeverTheServersFault() {
        assertThat(Failures.ofLocalFile(new FileNotFoundException("/data/in (Permission denied)")))
                .isEqualTo(Failure.ofExperiment("local file: permission denied"));
        assertThat(Failures.ofLocalFile(new NoSuchFileException("/data/in")))
                .isEqualTo(Failure.ofExperiment("local file: NoSuchFileException"));
        assertThat(Failures.ofLocalFile(new IOException("No space left on device")))
                .isEqualTo(Failure.ofGenerator("local file: no space left on device"));
    }

    @Test
    void whatTheServerDoesWrongIsItsFaultWhateverItsWords() {
        assertThat(Failures.of(new DataFault("more data than was asked for")))
                .isEqualTo(Failure.ofService("more data than was asked for"));
        assertThat(Failures.of(new ReplyReader.MalformedReplyException("too many open files")))
                .isEqualTo(Failure.ofService("too many open files"));
    }
}
