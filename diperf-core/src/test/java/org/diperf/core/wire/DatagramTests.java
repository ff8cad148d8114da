package org.diperf.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class DatagramTests {

    private static final byte[] UP = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DOWN = "fedcba9876543210".getBytes(StandardCharsets.US_ASCII);

    private final DatagramCipher.Engine engine = new DatagramCipher.Engine();
    private final DatagramCipher tester = new DatagramCipher(5, UP, DOWN, engine);
    private final DatagramCipher controller = new DatagramCipher(5, DOWN, UP, engine);

    private static ByteBuffer seal(DatagramCipher by, String content) {
        ByteBuffer datagram = ByteBuffer.allocate(200);
        by.seal(ByteBuffer.wrap(content.getBytes(StandardCharsets.US_ASCII)), datagram);
        return datagram.flip();
    }

    private static boolean opens(DatagramCipher by, ByteBuffer datagram) {
        return by.open(datagram.duplicate(), ByteBuffer.allocate(200));
    }

    @Test
    void whatOneEndSealsTheOtherOpensOnce() {
        ByteBuffer datagram = seal(tester, "hello");
        ByteBuffer content = ByteBuffer.allocate(200);
        assertThat(DatagramCipher.idOf(datagram)).isEqualTo(5);
        assertThat(controller.open(datagram.duplicate(), content)).isTrue();
        assertThat(new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII))
                .isEqualTo("hello");
        assertThat(opens(controller, datagram))
                .as("a stolen datagram, replayed")
                .isFalse();
    }

    @Test
    void aReplayedDatagramIsRefusedHoweverTheyAreMixed() {
        Random random = new Random(11);
        List<ByteBuffer> sent = new ArrayList<>();
        boolean[] came = new boolean[2_000];
        for (int i = 0; i < came.length; i++) {
            sent.add(seal(tester, "x" + i));
        }
        int newest = 0;
        for (int trial = 0; trial < 20_000; trial++) {
            int i = Math.max(0, Math.min(came.length - 1, trial / 10 - random.nextInt(200) + 20));
            boolean opened = opens(controller, sent.get(i));
            boolean tooOld = newest - i >= 128;
            assertThat(opened).as("datagram " + i + " after " + newest).isEqualTo(!came[i] && !tooOld);
            came[i] |= opened;
            newest = opened ? Math.max(newest, i) : newest;
        }
    }

    @Test
    void aDatagramThatWasChangedOrSentBackIsRefused() {
        ByteBuffer datagram = seal(tester, "hello");
        assertThat(opens(tester, datagram)).as("sent back to its sender").isFalse();
        for (int i = 0; i < datagram.limit(); i++) {
            ByteBuffer changed = ByteBuffer.allocate(datagram.limit()).put(datagram.duplicate());
            changed.flip().put(i, (byte) (changed.get(i) ^ 4));
            assertThat(opens(controller, changed)).as("byte " + i).isFalse();
        }
        for (int length = 0; length < datagram.limit(); length++) {
            assertThat(opens(controller, datagram.duplicate().limit(length))).isFalse();
        }
        assertThat(opens(controller, datagram)).isTrue();
    }

    /** Two ends and a network that loses, doubles and mixes up. */
    private static final class Network {
        final Random random;
        final double loss;
        final DatagramStream[] ends = {new DatagramStream(1 << 20), new DatagramStream(1 << 20)};
        final List<List<ByteBuffer>> onTheWay = List.of(new ArrayList<>(), new ArrayList<>());
        final List<ArrayDeque<String>> arrived = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        final ByteBuffer scratch = ByteBuffer.allocate(DatagramStream.CONTENT_BYTES);
        long now = 1_000_000_000L;

        Network(Random random, double loss) {
            this.random = random;
            this.loss = loss;
        }

        void send(int to, ByteBuffer content) {
            if (random.nextDouble() >= loss) {
                ByteBuffer copy =
                        ByteBuffer.allocate(content.remaining()).put(content).flip();
                onTheWay.get(to).add(copy);
                if (random.nextInt(20) == 0) {
                    onTheWay.get(to).add(copy.duplicate());
                }
            }
        }

        void turn() throws WireException {
            now += 5_000_000;
            for (int end = 0; end < 2; end++) {
                int other = 1 - end;
                ends[end].flush(now, scratch, content -> send(other, content));
                ends[end].tick(now, scratch, content -> send(other, content));
                List<ByteBuffer> mine = onTheWay.get(end);
                for (int i = random.nextInt(8); i > 0 && !mine.isEmpty(); i--) {
                    ByteBuffer content = mine.remove(random.nextInt(Math.min(mine.size(), 4)));
                    int here = end;
                    ends[end].receive(content, now, scratch, reply -> send(other, reply), frame -> {
                        byte[] bytes = new byte[frame.remaining()];
                        frame.get(bytes);
                        arrived.get(here).add(Integer.toString(Arrays.hashCode(bytes)));
                    });
                }
            }
        }
    }

    @RepeatedTest(20)
    void everyFrameArrivesOnceAndInOrderOverAnyNetwork(RepetitionInfo repetition) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        Network network = new Network(random, repetition.getCurrentRepetition() % 5 * 0.08);
        List<ArrayDeque<String>> sent = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        for (int i = 0; i < 300; i++) {
            int from = random.nextInt(2);
            byte[] body = new byte[40 + (random.nextInt(10) == 0 ? random.nextInt(9_000) : random.nextInt(100))];
            random.nextBytes(body);
            sent.get(1 - from).add(Integer.toString(Arrays.hashCode(body)));
            network.ends[from].write(ByteBuffer.allocate(4 + body.length)
                    .putInt(body.length)
                    .put(body)
                    .flip());
            network.turn();
        }
        for (int turns = 0; turns < 20_000 && (network.ends[0].isBusy() || network.ends[1].isBusy()); turns++) {
            network.turn();
        }
        for (int end = 0; end < 2; end++) {
            assertThat(List.copyOf(network.arrived.get(end))).isEqualTo(List.copyOf(sent.get(end)));
            assertThat(network.ends[end].isBusy()).isFalse();
        }
        if (network.loss > 0.1) {
            assertThat(network.ends[0].resent() + network.ends[1].resent()).isPositive();
        }
    }

    @Test
    void manySmallFramesShareADatagram() {
        DatagramStream stream = new DatagramStream(1 << 20);
        for (int i = 0; i < 20; i++) {
            stream.write(ByteBuffer.allocate(44).putInt(0, 40));
        }
        int[] datagrams = {0};
        stream.flush(1, ByteBuffer.allocate(DatagramStream.CONTENT_BYTES), content -> datagrams[0]++);
        assertThat(datagrams[0]).isEqualTo(1);
    }

    @Test
    void nobodyMakesTheOtherEndKeepMoreThanAWindow() {
        DatagramStream stream = new DatagramStream(1 << 20);
        ByteBuffer far =
                ByteBuffer.allocate(40).putLong(1_000).putLong(0).putLong(0).clear();
        assertThatThrownBy(() -> stream.receive(
                        far, 1, ByteBuffer.allocate(DatagramStream.CONTENT_BYTES), content -> {}, frame -> {}))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("1000");
    }
}
