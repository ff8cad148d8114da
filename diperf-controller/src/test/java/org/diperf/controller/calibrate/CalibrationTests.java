package org.diperf.controller.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.diperf.controller.calibrate.Calibration.Others;
import org.diperf.core.run.CalibrationRecord;
import org.junit.jupiter.api.Test;

class CalibrationTests {

    private static final Machine HERE = MadeCalibration.MACHINE;

    private static Machine with(String host, String processor, int processors) {
        return new Machine(host, processor, processors, "Linux 6.2 amd64", "OpenJDK 21");
    }

    @Test
    void aQuietMachineLeavesNoDoubt() {
        assertThat(MadeCalibration.quiet().doubts()).isEmpty();
        assertThat(MadeCalibration.bare().doubts()).isEmpty();
        assertThat(MadeCalibration.quiet().record())
                .isEqualTo(new CalibrationRecord("node-7", 41_000.5, "2026-11-20T08:00:00Z", null));
    }

    @Test
    void othersThatUsedTheMachineAreTold() {
        Calibration busy = MadeCalibration.of(HERE, 0, new Others(34.6, 12.4));

        assertThat(busy.doubts())
                .containsExactly(
                        "the machine was busy: other processes used 35 % of its processor time during the calibration",
                        "the hypervisor gave 12 % of the machine's processor time to other guests during the calibration");
        assertThat(busy.record().doubt()).isEqualTo("while the machine was busy");
    }

    @Test
    void openLoadIsKeptUpWhereHardlyACallIsLeftOut() {
        assertThat(MadeCalibration.of(HERE, 0.09, null).openLoad().keptUp()).isTrue();
        assertThat(MadeCalibration.of(HERE, 0.1, null).openLoad().keptUp()).isFalse();
        assertThat(MadeCalibration.of(HERE, 26, null).record().doubt()).isNull();
    }

    @Test
    void anotherMachineOrVersionIsAMisfit() {
        Calibration made = MadeCalibration.quiet();

        assertThat(made.misfit(HERE, "0.1.0")).isEmpty();
        assertThat(made.misfit(with("node-7", "Fast 3000", 8), "0.1.0")).isEmpty();
        assertThat(made.misfit(HERE, "0.2.0")).isEqualTo(Optional.of("it is from DiPerF 0.1.0, but this is 0.2.0"));
        assertThat(made.misfit(with("node-7", "Fast 3000", 4), "0.1.0"))
                .isEqualTo(Optional.of("it is for 8 processors, but there are 4 now"));
        assertThat(made.misfit(with("node-7", "Slow 1", 8), "0.1.0"))
                .isEqualTo(Optional.of("it is for processor 'Fast 3000', but this machine has 'Slow 1'"));
        assertThat(made.misfit(with("node-8", "Fast 3000", 8), "0.1.0"))
                .isEqualTo(Optional.of("it is for machine node-7, but this is node-8"));
    }
}
