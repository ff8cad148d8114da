package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.diperf.controller.calibrate.Calibration.Others;
import org.diperf.controller.calibrate.MadeCalibration;
import org.junit.jupiter.api.Test;

class CalibrationTextTests {

    @Test
    void aScreenHasAllNumbers() {
        assertThat(String.join("\n", CalibrationText.lines(MadeCalibration.quiet())))
                .isEqualTo("""
                        What one tester on node-7 can do with http clients and a service that does nothing:

                         highest rate   41,001 calls/s             by 64 clients; 7.5 of 8 processors busy, including the service
                         open load      20,500 calls/s             50 % of that, all sent
                         CPU per call   20.3 µs                    and 31.0 µs under that open load
                         send lag       p50 12.0 µs, p99 310 µs    of calls under that open load
                         error bound    p50 4.00 µs, p99 33.0 µs   the maximum that the tester can have added to a response time under that load
                         idle           paused for 1.25 ms at most, waited for a processor 0.500 % of the time it had work to do
                         others         used 1.50 % of the processors, and the hypervisor took away 0.250 %

                         Fast 3000, 8 processors, Linux 6.1 amd64, OpenJDK 17.0.15, DiPerF 0.1.0""");
    }

    @Test
    void whatWasNotMeasuredIsSaid() {
        String text = String.join("\n", CalibrationText.lines(MadeCalibration.bare()));

        assertThat(text)
                .contains(
                        " send lag       not measured ",
                        " idle           not measured\n",
                        " others         not measured\n")
                .contains("\n unknown processor, 8 processors")
                .doesNotContain("null", "NaN");
    }

    @Test
    void aBusyMachineIsMarked() {
        assertThat(CalibrationText.lines(MadeCalibration.of(MadeCalibration.MACHINE, 0, new Others(35, 0))))
                .contains(
                        " ! the machine was busy: other processes used 35 % of its processor time during the calibration;"
                                + " calibrate again when it is quiet");
    }

    @Test
    void aRateThatIsMoreThanItSendsStandsBesideTheOneThatItDoes() {
        assertThat(String.join("\n", CalibrationText.lines(MadeCalibration.less())))
                .contains("""
                         open load      13,667 calls/s             33 % of that, all sent
                                        not 20,500 calls/s         4.00 % of them were not sent
                         CPU per call\
                        """)
                .doesNotContain(" ! ");
    }

    @Test
    void anOverloadedTesterIsMarked() {
        assertThat(CalibrationText.lines(MadeCalibration.of(MadeCalibration.MACHINE, 26, null)))
                .anyMatch(line -> line.endsWith("50 % of that, all sent except 26.0 %"))
                .contains(
                        " ! at every rate tried, too many calls of the open load were not sent: lag, error bound and CPU "
                                + "are those of an overloaded tester");
    }
}
