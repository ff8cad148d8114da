package org.diperf.plugins.lib.gridftp.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
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
                .isEqualTo(Failure.ofExperiment("local file: not there"));
        assertThat(Failures.ofLocalFile(new IOException("No space left on device")))
                .isEqualTo(Failure.ofGenerator("local file: no space left on device"));
    }

    @Test
    void aFileOnThisSideIsToldByItsKeyInPlainWords() {
        assertThat(kind(new NoSuchFileException("/data/in"))).isEqualTo("local file: source /data/in: not there");
        assertThat(kind(new AccessDeniedException("/data/in")))
                .isEqualTo("local file: source /data/in: permission denied");
        assertThat(kind(new FileAlreadyExistsException("/data/in")))
                .isEqualTo("local file: source /data/in: not a folder");
        assertThat(kind(new FileSystemException("/data/in", null, "Is a directory")))
                .isEqualTo("local file: source /data/in: a folder, where a file is expected");
        assertThat(kind(new IOException("Underlying file size 5 smaller then requested count 10")))
                .isEqualTo("local file: source /data/in: truncated after it was opened");
        // As a thread that computes checksums tells it.
        assertThat(kind(new CompletionException(new UncheckedIOException(new NoSuchFileException("/data/in")))))
                .isEqualTo("local file: source /data/in: not there");
        // The machine lacks room, whichever file it is.
        assertThat(kind(new IOException("No space left on device"))).isEqualTo("local file: no space left on device");
    }

    private static String kind(Throwable thrown) {
        return Failures.ofLocalFile(thrown, "source /data/in").kind();
    }

    @Test
    void whatAConnectionSaysIsOfNoFile() {
        assertThat(Failures.isOfFile(new IOException("Broken pipe"))).isFalse();
        assertThat(Failures.isOfFile(new IOException("Connection reset by peer")))
                .isFalse();
        assertThat(Failures.isOfFile(new IOException("Input/output error"))).isTrue();
    }

    @Test
    void whatTheServerDoesWrongIsItsFaultWhateverItsWords() {
        assertThat(Failures.of(new DataTransferException("more data than requested")))
                .isEqualTo(Failure.ofService("more data than requested"));
        assertThat(Failures.of(new ReplyReader.MalformedReplyException("too many open files")))
                .isEqualTo(Failure.ofService("too many open files"));
    }
}
