package org.diperf.plugins.emulated.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.diperf.plugins.emulated.engine.Slice;
import org.diperf.plugins.emulated.partition.Partition;
import org.diperf.plugins.emulated.topology.Flow;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FrameTests {

    private static final long SEED = 17;

    private static DataInputStream input(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }

    private static byte[] bytes(Frame frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        frame.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static Packets[] packets(int engines) {
        return IntStream.range(0, engines).mapToObj(i -> new Packets()).toArray(Packets[]::new);
    }

    @Test
    void aWindowHasPacketsForOtherEngines() throws Exception {
        Packets[] outgoing = packets(3);
        for (int i = 0; i < 1_000; i++) {
            outgoing[2].add(i, 1, 2L * i, 100 + i);
        }
        outgoing[0].add(7, 2, 3, 50);
        Packets[] incoming = packets(3);
        Frame frame = Frame.read(input(bytes(new Window(50, 9).write(outgoing))));
        assertThat(Window.read(frame, incoming)).isEqualTo(new Window(50, 9));
        assertThat(incoming[0].size()).isEqualTo(Packets.BYTES);
        assertThat(incoming[1].size()).isZero();
        assertThat(incoming[2].size()).isEqualTo(1_000 * Packets.BYTES);
        ByteBuffer first = ByteBuffer.allocate(Packets.BYTES);
        incoming[0].writeTo(first);
        first.flip();
        assertThat(first.getInt()).isEqualTo(7);
        assertThat(first.getInt()).isEqualTo(2);
        assertThat(first.getLong()).isEqualTo(3);
        assertThat(first.getLong()).isEqualTo(50);
        assertThat(outgoing[2].size()).isZero();
    }

    @Test
    void aResultIsReadBack() throws Exception {
        EngineResult result = new EngineResult(1, 2, 3, 4, 5, new long[] {6, 7}, new long[] {8});
        assertThat(EngineResult.read(Frame.read(input(bytes(result.write()))), 2, 1))
                .usingRecursiveComparison()
                .isEqualTo(result);
        assertThatThrownBy(() -> EngineResult.read(result.write(), 2, 2)).isInstanceOf(IOException.class);
    }

    @Test
    void aFrameThatIsTooLongIsRefusedBeforeItIsRead() {
        byte[] header = ByteBuffer.allocate(5).putInt(Frame.MAX_BYTES + 1).array();
        assertThatThrownBy(() -> Frame.read(input(header))).isInstanceOf(ProtocolException.class);
        byte[] negative = ByteBuffer.allocate(5).putInt(-1).array();
        assertThatThrownBy(() -> Frame.read(input(negative))).isInstanceOf(ProtocolException.class);
        byte[] cut = ByteBuffer.allocate(7).putInt(Frame.MAX_BYTES).array();
        assertThatThrownBy(() -> Frame.read(input(cut))).isInstanceOf(EOFException.class);
    }

    @Test
    void whatIsNoWindowIsRefused() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        Packets[] outgoing = packets(2);
        outgoing[1].add(1, 2, 3, 4);
        byte[] good = new Window(1, 2).write(outgoing).content().array();
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 8));
            if (bad.length > 0) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            try {
                Window.read(new Frame(Frame.Kind.DONE, ByteBuffer.wrap(bad)), packets(2));
            } catch (IOException e) {
                refused++;
            }
        }
        assertThat(refused).as("windows refused, seed " + SEED).isGreaterThan(5_000);
    }

    @Test
    void anEngineSaysWhyItCannotGoOn() throws Exception {
        Topology topology = ModelNetwork.of(ModelNetwork.Shape.RING, 20, SEED);
        List<Flow> flows = ModelNetwork.flows(topology, 5, 1_000_000, 1_000_000, 0, SEED);
        Packets late = new Packets();
        late.add(0, 0, 0, 10);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        said.write(bytes(SliceServer.setup(topology, flows, Partition.whole(topology), 0)));
        said.write(bytes(new Frame(Frame.Kind.ADVANCE, ByteBuffer.allocate(8).putLong(0, 1_000_000))));
        ByteBuffer order = ByteBuffer.allocate(8 + Packets.BYTES).putLong(2_000_000);
        late.writeTo(order);
        said.write(bytes(new Frame(Frame.Kind.ADVANCE, order.flip())));
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        new SliceServer(input(said.toByteArray()), new DataOutputStream(answers)).run();
        DataInputStream in = input(answers.toByteArray());
        assertThat(Frame.read(in).kind()).isEqualTo(Frame.Kind.READY);
        assertThat(Frame.read(in).kind()).isEqualTo(Frame.Kind.DONE);
        Frame last = Frame.read(in);
        assertThat(last.kind()).isEqualTo(Frame.Kind.FAILED);
        assertThat(last.text())
                .isEqualTo("Expected packets due at 1000000 ns or later from other engines, got one due at 10 ns");
    }

    @Test
    void theSetupOfAnEngineIsThatOfTheWholeNetwork() throws Exception {
        Topology topology = ModelNetwork.of(ModelNetwork.Shape.TREE, 30, SEED);
        List<Flow> flows = ModelNetwork.flows(topology, 9, 1_000_000, 5_000_000, 0.5, SEED);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        said.write(bytes(SliceServer.setup(topology, flows, Partition.whole(topology), 0)));
        ByteBuffer order = ByteBuffer.allocate(8).putLong(0, Long.MAX_VALUE);
        said.write(bytes(new Frame(Frame.Kind.ADVANCE, order)));
        said.write(bytes(new Frame(Frame.Kind.FINISH, ByteBuffer.allocate(0))));
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        new SliceServer(input(said.toByteArray()), new DataOutputStream(answers)).run();
        DataInputStream in = input(answers.toByteArray());
        Frame.read(in);
        Frame.read(in);
        EngineResult result = EngineResult.read(
                Frame.read(in), topology.nodes().size(), topology.pipes().size());
        Slice here = new Slice(topology, flows, Partition.whole(topology), 0, Slice.Trace.NONE);
        here.advance(Long.MAX_VALUE);
        assertThat(result).usingRecursiveComparison().isEqualTo(EngineResult.of(here));
    }
}
