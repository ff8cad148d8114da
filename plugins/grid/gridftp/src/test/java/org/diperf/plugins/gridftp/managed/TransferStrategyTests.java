package org.diperf.plugins.gridftp.managed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.diperf.core.spi.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class TransferStrategyTests {

    private static final long NEAR_NANOS = 100_000;
    private static final long FAR_NANOS = 53_000_000;
    private static final long LARGE = 1L << 30;

    @Test
    void nearbyOneStreamIsEnough() {
        assertThat(TransferStrategy.of(List.of(LARGE, LARGE, LARGE, 1L), NEAR_NANOS))
                .isEqualTo(new TransferStrategy(1, 1, 3, 16, 1));
        assertThat(TransferStrategy.of(Collections.nCopies(1_000, 1L), NEAR_NANOS))
                .isEqualTo(new TransferStrategy(1, 1, 0, 16, 4));
        assertThat(TransferStrategy.of(Collections.nCopies(17, 1L), NEAR_NANOS))
                .isEqualTo(new TransferStrategy(1, 1, 0, 16, 2));
    }

    @Test
    void nearbyLargeAndSmallFilesShareAsManySessionsAsEitherAloneHas() {
        List<Long> mixed = new ArrayList<>(Collections.nCopies(1_000, 1L));
        mixed.addAll(Collections.nCopies(10, LARGE));
        assertThat(TransferStrategy.of(mixed, NEAR_NANOS)).isEqualTo(new TransferStrategy(1, 1, 3, 16, 1));
        assertThat(TransferStrategy.of(mixed, FAR_NANOS)).isEqualTo(new TransferStrategy(6, 2, 4, 69, 4));
        assertThat(TransferStrategy.of(Collections.nCopies(10, LARGE), NEAR_NANOS))
                .isEqualTo(new TransferStrategy(1, 1, 4, 16, 0));
    }

    @Test
    void farAwayThereAreMoreStreamsAndMoreIsAskedAhead() {
        assertThat(TransferStrategy.of(Collections.nCopies(1_000, 8_192L), FAR_NANOS))
                .isEqualTo(new TransferStrategy(6, 2, 0, 69, 4));
        assertThat(TransferStrategy.of(List.of(LARGE, LARGE, 1L), FAR_NANOS))
                .isEqualTo(new TransferStrategy(6, 2, 2, 69, 1));
    }

    @Test
    void howeverFarTheyStayWithinBounds() {
        TransferStrategy choice = TransferStrategy.of(Collections.nCopies(1_000, LARGE), 10_000_000_000L);
        assertThat(choice).isEqualTo(new TransferStrategy(8, 2, 4, 200, 0));
        assertThat(choice.sessions()).isEqualTo(4);
        assertThat(TransferStrategy.of(List.of(), FAR_NANOS).sessions()).isZero();
    }

    @Test
    void whatTheFileIsTheReasonOfIsNotTriedAgain() {
        assertThat(List.of(
                        "RETR: 500 No such file or directory",
                        "STOR: 500 Permission denied",
                        "SIZE: 550 No such file.",
                        "PASS: 530 Login incorrect.",
                        "local file: no space left on device",
                        "GSI: certificate not trusted",
                        "to: FEAT: no PARALLEL"))
                .allMatch(kind -> JobFile.isFinal(Failure.ofService(kind)));
        assertThat(List.of(
                        "RETR: data block cut off",
                        "STOR: 426 Data connection closed",
                        "connect: connection refused",
                        "connect: 421 Service busy",
                        "to: connect: connection refused",
                        "MLSC: no answer from target 127.0.0.1:2811 for 1m",
                        "no data transferred for 1m"))
                .noneMatch(kind -> JobFile.isFinal(Failure.ofService(kind)));
    }
}
