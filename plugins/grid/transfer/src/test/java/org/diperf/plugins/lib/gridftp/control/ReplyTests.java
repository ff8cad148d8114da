package org.diperf.plugins.lib.gridftp.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ReplyTests {

    private static String cause(String reply) {
        List<String> lines = reply.lines().toList();
        return new Reply(Integer.parseInt(lines.get(0).substring(0, 3)), lines).cause();
    }

    @Test
    void theLastReasonOfAChainIsTheCause() {
        assertThat(cause("""
                        500-Command failed. : globus_l_gfs_file_open failed.
                        500-globus_xio: Unable to open file /a/b
                        500-globus_xio: System error in open: No such file or directory
                        500-globus_xio: A system call failed: No such file or directory
                        500 End.""")).isEqualTo("500 No such file or directory");
    }

    /** As globus-gridftp-server without a certificate answers AUTH. */
    @Test
    void aChainThatEndsInAListIsToldByItsFirstLine() {
        assertThat(cause("""
                        530-globus_xio: Server side credential failure
                        530-GSS failure:\s
                        530-Attempt 3
                        530-globus_credential: Error reading user credential
                        530-globus_sysconfig: Error with certificate filename: The user cert could not be found in:\s
                        530-1) env. var. X509_USER_CERT
                        530-2) $HOME/.globus/usercert.pem
                        530-3) $HOME/.globus/usercred.p12
                        530-
                        530 End.""")).isEqualTo("530 Server side credential failure");
    }

    @Test
    void aChainThatEndsInTheHeadingOfAnEmptyListIsToldByItsFirstLine() {
        assertThat(cause("""
                        530-globus_xio: Server side credential failure
                        530-The host key could not be found in:\s
                        530 End.""")).isEqualTo("530 Server side credential failure");
    }
}
