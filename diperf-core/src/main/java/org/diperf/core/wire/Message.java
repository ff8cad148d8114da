package org.diperf.core.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.diperf.core.plan.Stage;

/** Everything that travels between testers and controller: a closed set. */
public sealed interface Message {

    /** Said by testers. */
    sealed interface FromTester extends Message {}

    /** Said by the controller. */
    sealed interface FromController extends Message {}

    /**
     * Asks to join, or to join again.
     *
     * @param token of the run
     * @param protocol highest version that the tester speaks
     * @param resume whether this tester process has been welcomed before
     */
    record Hello(String token, int protocol, boolean resume, TesterFacts facts) implements FromTester {
        @Override
        public String toString() {
            return "Hello[protocol=" + protocol + ", resume=" + resume + ", facts=" + facts + "]";
        }
    }

    /** Says that the assignment is prepared and only the start instant is missing. */
    record Ready() implements FromTester {}

    /** Says why this tester cannot carry out its assignment. */
    record Refused(String reason) implements FromTester {}

    /** Answers a {@link Ping} at once. */
    record Pong() implements FromTester {}

    /**
     * Ships samples.
     *
     * @param data one whole block of the sample format; read-only, its own position
     */
    record Block(ByteBuffer data) implements FromTester {
        public Block {
            data = data.slice().asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer data() {
            return data.duplicate();
        }
    }

    /** Tells how far the tester is. */
    record Status(TesterStatus status) implements FromTester {}

    /** Says that the plan is over and that every block was sent before this. */
    record Finished(TesterTotals totals) implements FromTester {}

    /** Tells of questions to the time server that were answered; at most {@link #MAX} at once. */
    record Exchanges(List<TimeExchange> exchanges) implements FromTester {

        /** No message tells of more. */
        public static final int MAX = 4_096;

        public Exchanges {
            exchanges = List.copyOf(exchanges);
            if (exchanges.size() > MAX) {
                throw new IllegalArgumentException(
                        "Expected at most " + MAX + " exchanges in a message, got " + exchanges.size());
            }
        }
    }

    /** A line for the run's log. */
    record Log(String line) implements FromTester {}

    /**
     * Asks for a way by sealed datagrams; the first message of a connection that will not be needed any more.
     *
     * @param token of the run
     */
    record Enrol(String token) implements FromTester {
        @Override
        public String toString() {
            return "Enrol[]";
        }
    }

    /**
     * Gives a way by sealed datagrams; see {@link DatagramCipher}.
     *
     * @param id of the enrolment, not 0
     * @param port of UDP at which the controller has it
     * @param up key of what the tester seals
     * @param down key of what the controller seals
     */
    record Enrolled(int id, int port, byte[] up, byte[] down) implements FromController {
        public Enrolled {
            up = up.clone();
            down = down.clone();
            if (id == 0
                    || port < 1
                    || port > 65_535
                    || up.length != down.length
                    || up.length != DatagramCipher.KEY_BYTES) {
                throw new IllegalArgumentException("Enrolment: expected an id, a port and two keys of "
                        + DatagramCipher.KEY_BYTES + " bytes, got id " + id + ", port " + port);
            }
        }

        @Override
        public byte[] up() {
            return up.clone();
        }

        @Override
        public byte[] down() {
            return down.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Enrolled that
                    && that.id == id
                    && that.port == port
                    && Arrays.equals(that.up, up)
                    && Arrays.equals(that.down, down);
        }

        @Override
        public int hashCode() {
            return id;
        }

        /** Shows whose, not the keys. */
        @Override
        public String toString() {
            return "Enrolled[id=" + id + ", port=" + port + "]";
        }
    }

    /**
     * Lets a tester in.
     *
     * @param durable number of the tester's highest durable block; 0: none is
     * @param leaseNanos silence of the controller after which the tester stops its load
     * @param time where the time server answers
     */
    record Welcome(long durable, long leaseNanos, TimeServerSettings time) implements FromController {}

    /** Refuses a tester permanently. */
    record RejectedHello(String reason) implements FromController {}

    /** Says what there is to do. */
    record Assign(Assignment assignment) implements FromController {}

    /** Appends a stage to a plan that grows; one that the tester has already is to be ignored. */
    record Append(Stage stage) implements FromController {}

    /**
     * Gives the start of the run.
     *
     * @param localStartNanos on this tester's clock
     * @param joinNanos after the start, from when on this tester begins calls; 0 but where it replaces a lost one
     */
    record Start(long localStartNanos, long joinNanos) implements FromController {}

    /** Asks for a {@link Pong}; also shows that the controller lives. */
    record Ping() implements FromController {}

    /** Acknowledges all blocks up to this number: they are durable. */
    record Ack(long durable) implements FromController {}

    /** Ends the load; what is in flight has so long to end. */
    record Stop(long graceNanos) implements FromController {}

    /** Ends the tester. */
    record Bye() implements FromController {}
}
