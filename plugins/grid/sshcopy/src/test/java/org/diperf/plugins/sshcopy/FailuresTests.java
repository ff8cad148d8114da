package org.diperf.plugins.sshcopy;

import static org.assertj.core.api.Assertions.assertThat;

import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.SftpException;
import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.diperf.core.spi.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FailuresTests {

    private static Failure of(Exception failure) {
        return Failures.of(failure, null);
    }

    private static JSchException connecting(Exception cause) {
        return new JSchException(cause.toString(), cause);
    }

    @Test
    void aFileOnThisSideIsTheExperimentsFault() {
        assertThat(of(new NoSuchFileException("/data/in"))).isEqualTo(Failure.ofExperiment("local file: no such file"));
        assertThat(of(new AccessDeniedException("/data/in")))
                .isEqualTo(Failure.ofExperiment("local file: permission denied"));
    }

    @Test
    void limitsOfThisMachineAreTheGeneratorsFault() {
        assertThat(of(connecting(new BindException("Cannot assign requested address"))))
                .isEqualTo(Failure.ofGenerator("no free local port or address"));
        assertThat(of(new SftpException(ChannelSftp.SSH_FX_FAILURE, "", new IOException("No space left on device"))))
                .isEqualTo(Failure.ofGenerator("no space left on device"));
    }

    @Test
    void whatTheServerAnswersOrRefusesIsItsFault() {
        assertThat(of(connecting(new ConnectException("Connection refused"))).kind())
                .isEqualTo("connection refused");
        assertThat(of(new SftpException(ChannelSftp.SSH_FX_NO_SUCH_FILE, "No such file")))
                .isEqualTo(Failure.ofService("sftp: no such file"));
        assertThat(of(new SftpException(ChannelSftp.SSH_FX_FAILURE, "Too many open files")))
                .isEqualTo(Failure.ofService("sftp: status 4"));
    }

    @Test
    void whereACopyBrokeOffIsSaid() {
        assertThat(of(new EOFException("closed in the middle of the file")))
                .isEqualTo(Failure.ofService("closed in the middle of the file"));
    }
}
