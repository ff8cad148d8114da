package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureTests {

    static Stream<Arguments> thrown() {
        return Stream.of(
                Arguments.of(new ConnectException("Connection refused"), Fault.SERVICE, "connection refused"),
                Arguments.of(new IOException("Broken pipe"), Fault.SERVICE, "connection reset"),
                Arguments.of(new UnknownHostException("nowhere"), Fault.SERVICE, "unknown host nowhere"),
                Arguments.of(new TimeoutException(), Fault.SERVICE, "timed out in the client"),
                Arguments.of(new PortUnreachableException(), Fault.SERVICE, "connection refused"),
                Arguments.of(new SocketException("Socket closed"), Fault.SERVICE, "Socket closed"),
                Arguments.of(new EOFException(), Fault.SERVICE, "connection closed early"),
                Arguments.of(new IllegalStateException("odd"), Fault.SERVICE, "IllegalStateException: odd"),
                Arguments.of(new SocketException("Too many open files"), Fault.GENERATOR, "too many open files"),
                Arguments.of(
                        new BindException("Cannot assign requested address"),
                        Fault.GENERATOR,
                        "no free local port or address"),
                Arguments.of(new IOException("Cannot allocate memory"), Fault.GENERATOR, "not enough memory"),
                Arguments.of(new OutOfMemoryError("heap"), Fault.GENERATOR, "OutOfMemoryError: heap"),
                Arguments.of(
                        new FailedCallException(Failure.ofExperiment("no such file")),
                        Fault.EXPERIMENT,
                        "no such file"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void whatIsThrownSaysWhoseFaultItWas(Throwable thrown, Fault fault, String kind) {
        Failure failure = Failure.of(thrown);
        assertThat(failure.fault()).isEqualTo(fault);
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(Failure.of(new ExecutionException(thrown))).isEqualTo(failure);
    }

    @Test
    void whatCanBeDoneAboutAnUnknownHostIsNotWhatCanBeDoneAboutAServiceThatIsNotThere() {
        assertThat(Failure.of(new UnknownHostException("nowhere")).remedy())
                .isEqualTo("correct the host name of the target, or make it resolvable");
        assertThat(Failure.of(new ConnectException("Connection refused")).remedy())
                .isEqualTo("start the service, or correct the host and port of the target");
        assertThat(Failure.of(new IOException("Broken pipe")).remedy()).isEmpty();
    }

    @Test
    void whatIsNotKnownIsLeftToOthersToName() {
        assertThat(Failure.known(new IllegalStateException("odd"))).isEmpty();
        assertThat(Failure.known(new SocketException("Network is down: /192.0.2.1")))
                .isEmpty();
    }

    @Test
    void thePlaceOfAFailureDoesNotChangeItsFault() {
        assertThat(Failure.ofGenerator("too many open files").in("proxy"))
                .isEqualTo(new Failure(Fault.GENERATOR, "proxy: too many open files"));
        assertThat(Failure.ofService("connection refused").remedied("start it").in("proxy"))
                .isEqualTo(new Failure(Fault.SERVICE, "proxy: connection refused", "start it"));
    }
}
