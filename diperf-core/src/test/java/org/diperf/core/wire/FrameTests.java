package org.diperf.core.wire;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.diperf.core.clock.Exchange;
import org.diperf.core.experiment.DataSettings;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClientNumbering;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FrameTests {

    /** In bytes allocated. */
    static final long MAX_FOR_A_FRAME = 4 << 20;

    private static final TesterFacts FACTS =
            new TesterFacts("nöde", 2, 1L << 34, "17.0.15", List.of("-Xmx1g"), "Linux", true);

    /** One of each kind. */
    static final List<Message> MESSAGES = List.of(
            new Message.Hello("ab".repeat(32), 1, true, FACTS),
            new Message.Ready(),
            new Message.Refused("no such plugin"),
            new Message.Pong(),
            new Message.Block(ByteBuffer.wrap(new byte[] {1, 2, 3})),
            new Message.Status(new TesterStatus(1, 2, 3, 4, 5, 6)),
            new Message.Finished(new TesterTotals(1, 2, 3, 4, Map.of("late", 5L), -6, "a call failed", true)),
            new Message.Log("a line"),
            new Message.Welcome(7, 10_000_000_000L, new TimeServerSettings(5123, 9, new byte[] {1, -1})),
            new Message.Exchanges(List.of(new TimeExchange(8, 9, new Exchange(1, -2, 3, Long.MIN_VALUE)))),
            new Message.RejectedHello("wrong token"),
            new Message.Assign(assignment()),
            new Message.Start(Long.MIN_VALUE, 7),
            new Message.Ping(),
            new Message.Ack(Long.MAX_VALUE),
            new Message.Stop(5),
            new Message.Append(new Stage(
                    6,
                    new ClosedLoad(
                            3, new ClientLifetimes.Ramp(1, 3, 5), ThinkTime.NONE, new Quota(7, 8), OnFailure.ABORT, 6),
                    60)),
            new Message.Enrol("ab".repeat(32)),
            new Message.Enrolled(-5, 23_000, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6}, new byte[16]),
            new Message.Bye());

    private static Assignment assignment() {
        List<Stage> stages = List.of(
                new Stage(0, new ClosedLoad(3, 4, 5, ThinkTime.NONE, 6), 0),
                new Stage(1, new ClosedLoad(3, 4, 5, new ThinkTime.Fixed(9), 6), 10),
                new Stage(2, new ClosedLoad(3, 4, 5, new ThinkTime.Exponential(9), 6), 20),
                new Stage(3, new ClosedLoad(3, 4, 5, new ThinkTime.Uniform(9, 10), 6), 30),
                new Stage(4, new OpenLoad(0.5, OpenLoad.Arrivals.POISSON, 1, 2, 3, 4), 40),
                new Stage(5, new OpenLoad(2, OpenLoad.Arrivals.CONSTANT, 1, 2, 3, 4), 50));
        Map<String, Object> deep = new HashMap<>();
        deep.put("list", Arrays.asList(null, true, false, 1L, 2.5, "text", Map.of("a", List.of())));
        return new Assignment(
                new Plan(
                        -1,
                        4,
                        new Targets(
                                List.of(Url.of("http://a:1/x"), Url.of("http://b")),
                                Targets.Assign.ALL_TO_ALL,
                                Targets.Per.HOST),
                        stages,
                        false,
                        new ClientNumbering(ClientNumbering.Placement.FILL, 3, 7, 9)),
                3,
                new Rank(2, 4, 1),
                "http",
                Map.of("method", "GET", "deep", deep),
                List.of(new PluginJar("a.jar", "00")),
                new LoopSettings(3, LoopSettings.Io.IO_URING, 7),
                10,
                20,
                true,
                new Script(
                        List.of(new RequestSettings("browse", 2.5, Map.of("path", "/${users.name}"), Map.of())),
                        List.of(new RequestSettings("login", 0, Map.of("n", 1L), Map.of("token", "json:/t"))),
                        List.of(
                                new DataSettings("users", "u.csv", DataSettings.Give.ONE_PER_CLIENT, true),
                                new DataSettings("ids", "/i.csv", DataSettings.Give.PER_CALL, false),
                                new DataSettings("any", "a", DataSettings.Give.RANDOM, false)),
                        List.of("users.name"),
                        new Secrets(Map.of("env:X", "y"))));
    }

    static ByteBuffer body(Message message) {
        ByteBuffer frame = new Frame(3, -4, 5, 6, message).encode();
        assertThat(frame.getInt()).isEqualTo(frame.remaining());
        return frame;
    }

    @Test
    void everyKindOfMessageComesBackEqual() throws WireException {
        Set<Class<?>> seen = new HashSet<>();
        for (Message message : MESSAGES) {
            seen.add(message.getClass());
            assertThat(Frame.decode(body(message))).isEqualTo(new Frame(3, -4, 5, 6, message));
        }
        Set<Class<?>> all = new HashSet<>();
        for (Class<?> side : Message.class.getPermittedSubclasses()) {
            all.addAll(List.of(side.getPermittedSubclasses()));
        }
        assertThat(seen).isEqualTo(all);
    }

    /**
     * How every message lies on the wire. It follows from the messages' types, so a component that is added to one of them
     * changes it. Two builds whose layouts differ must not take each other for the same version: raise
     * {@link Frame#VERSION} when a version with the layout that stands here has been released.
     */
    @Test
    void theLayoutOfAllMessagesIsTheOneThatIsWrittenDown() throws IOException {
        try (InputStream written = FrameTests.class.getResourceAsStream("layouts.txt")) {
            assertThat(MessageCodec.layouts())
                    .isEqualTo(new String(requireNonNull(written).readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void aKeyOfAMapThatComesTwiceIsRefused() {
        WireOutput bytes = new WireOutput(1 << 10);
        for (long each : new long[] {5, 0, 0}) {
            bytes.int64(each);
        }
        bytes.int32(0);
        bytes.int32(2);
        for (int i = 0; i < 2; i++) {
            bytes.text("same");
            bytes.int64(i);
        }
        bytes.int64(0);
        bytes.text("");
        assertThatThrownBy(() -> Layout.of(TesterTotals.class).read(new WireInput(bytes.finish())))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("'same'");
    }

    @Test
    void aTypeThatHasNoPlaceOnTheWireIsNamed() {
        assertThatThrownBy(() -> Layout.of(Thread.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Thread");
    }

    @Test
    void anUnknownVersionIsRefusedWithBothVersions() {
        ByteBuffer body = body(new Message.Ping());
        body.put(body.position(), (byte) 9);
        assertThatThrownBy(() -> Frame.decode(body))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("version " + Frame.VERSION)
                .hasMessageContaining("version 9");
    }

    @Test
    void anUnknownTypeIsRefused() {
        ByteBuffer body = body(new Message.Ping());
        body.put(body.position() + 1, (byte) 99);
        assertThatThrownBy(() -> Frame.decode(body))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("type 99");
    }

    @Test
    void trailingBytesAreRefused() {
        ByteBuffer body = body(new Message.Ping());
        ByteBuffer longer = ByteBuffer.allocate(body.remaining() + 1)
                .put(body)
                .put((byte) 0)
                .flip();
        assertThatThrownBy(() -> Frame.decode(longer)).isInstanceOf(WireException.class);
    }

    @Test
    void valuesNestedTooDeeplyAreRefusedOnBothSides() {
        Object value = "leaf";
        for (int level = 0; level < ValueCodec.MAX_DEPTH + 1; level++) {
            value = List.of(value);
        }
        Map<String, Object> tree = Map.of("deep", value);
        assertThatThrownBy(() -> new ValueCodec().writeMap(tree, new WireOutput(1 << 20)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("32 levels");
        WireOutput bytes = new WireOutput(1 << 20);
        bytes.int32(1);
        bytes.text("deep");
        for (int level = 0; level < 100_000; level++) {
            bytes.int8(6);
            bytes.int32(1);
        }
        assertThatThrownBy(() -> new ValueCodec().readMap(new WireInput(bytes.finish())))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("32 levels");
    }

    @Test
    void anObjectThatHasNoPlaceOnTheWireIsNamed() {
        assertThatThrownBy(() -> new ValueCodec().writeMap(Map.of("a", new Object()), new WireOutput(100)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Object");
    }

    @Test
    void aMessageLongerThanAFrameIsNotWritten() {
        assertThatThrownBy(() -> new Frame(1, 0, 0, 0, new Message.Log("x".repeat(Frame.MAX_LENGTH))).encode())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Timeout(900)
    void ofTwentyThousandDamagedFramesNothingButAWireExceptionComesOut() {
        boolean many = Boolean.getBoolean("diperf.long");
        long seed = many ? System.nanoTime() : 20261121;
        System.out.println("FrameTests seed " + seed);
        Random random = new Random(seed);
        int rounds = many ? 10_000_000 : 20_000;
        int refused = 0;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int round = 0; round < rounds; round++) {
            ByteBuffer body = body(MESSAGES.get(random.nextInt(MESSAGES.size())));
            byte[] bytes = new byte[body.remaining()];
            body.get(bytes);
            for (int damage = random.nextInt(4); damage >= 0; damage--) {
                // Past version and type most often, where the lengths are.
                int at = Math.min(bytes.length - 1, random.nextInt(8) == 0 ? 1 : random.nextInt(bytes.length));
                bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextBoolean() ? 0xFF : 0x7F);
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
            long allocated = threads.getCurrentThreadAllocatedBytes();
            try {
                Frame.decode(ByteBuffer.wrap(bytes, 0, length));
            } catch (WireException e) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", round " + round + ": " + Arrays.toString(bytes), e);
            }
            // What a length promises is not allocated before it is there.
            if (threads.getCurrentThreadAllocatedBytes() - allocated > MAX_FOR_A_FRAME) {
                throw new AssertionError("seed " + seed + ", round " + round + " allocated "
                        + (threads.getCurrentThreadAllocatedBytes() - allocated) + " bytes");
            }
        }
        assertThat(refused).isBetween(rounds / 10, rounds - 1);
    }

    @Test
    void everyPieceOfAFrameIsRefused() {
        List<Integer> accepted = new ArrayList<>();
        ByteBuffer whole = body(new Message.Assign(assignment()));
        for (int length = 0; length < whole.remaining(); length++) {
            try {
                Frame.decode(whole.slice(whole.position(), length));
                accepted.add(length);
            } catch (WireException e) {
                assertThat(e).hasMessageContaining("Expected");
            }
        }
        assertThat(accepted).isEmpty();
    }
}
