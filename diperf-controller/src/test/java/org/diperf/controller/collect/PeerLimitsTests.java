package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.diperf.controller.collect.HandDrivenSession.S;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.TesterClients;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallClients;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.sample.TestCall;
import org.diperf.core.wire.DatagramStream;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.WireException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of limits in {@code docs/scale.md}: each of its rows is driven to its edge and one beyond, and none is missing. */
@Timeout(60)
final class PeerLimitsTests {

    private static final Path PAGE = Path.of("../docs/scale.md");
    private static final String HEADING = "### Limits of peers";

    @TempDir
    Path folder;

    /** Drives a limit to its edge; gives it as the table must say it. */
    private interface Edge {
        String drive() throws Exception;
    }

    private final Map<String, Edge> edges = edges();

    private Map<String, Edge> edges() {
        Map<String, Edge> all = new LinkedHashMap<>();
        all.put("connections that have not joined", PeerLimitsTests::waiting);
        all.put("time to join", PeerLimitsTests::timeToJoin);
        all.put("failed handshakes of an address", () -> failures(false));
        all.put("connections of an address that say nothing of TLS", () -> failures(true));
        all.put("length of a frame before joining", () -> frame(Frame.MAX_LENGTH_BEFORE_WELCOME));
        all.put("length of a frame", () -> frame(Frame.MAX_LENGTH));
        all.put("joins of a tester", PeerLimitsTests::joins);
        all.put("bytes that a peer leaves unread", this::unread);
        all.put("datagrams ahead of one that is missing", PeerLimitsTests::ahead);
        all.put("length of a block", PeerLimitsTests::blockLength);
        all.put("rows of a block", PeerLimitsTests::rows);
        all.put("columns of a block", PeerLimitsTests::columns);
        all.put("clients of calls", PeerLimitsTests::clients);
        all.put("clock exchanges in a message", PeerLimitsTests::exchanges);
        all.put("clock exchanges of a tester", PeerLimitsTests::exchangesOfATester);
        all.put("host name of a tester", PeerLimitsTests::hostName);
        return all;
    }

    /** Lists what and limit of each row. */
    static List<List<String>> table() throws IOException {
        List<List<String>> rows = new ArrayList<>();
        List<String> page = Files.readAllLines(PAGE);
        for (int i = page.indexOf(HEADING) + 4; page.get(i).startsWith("|"); i++) {
            String[] cells = page.get(i).split("\\|");
            rows.add(List.of(cells[1].strip(), cells[3].strip()));
        }
        return rows;
    }

    @Test
    void everyLimitThatIsTestedStandsInTheTableAndTheOtherWayRound() throws IOException {
        assertThat(table().stream().map(row -> row.get(0))).containsExactlyElementsOf(edges.keySet());
    }

    @ParameterizedTest
    @MethodSource("table")
    void aLimitIsWhatTheTableSays(List<String> row) throws Exception {
        assertThat(edges.get(row.get(0)).drive()).isEqualTo(row.get(1));
    }

    // Strangers

    private static FakePeer stranger() {
        return new FakePeer(false);
    }

    private static String waiting() {
        UnauthenticatedPeers strangers = new UnauthenticatedPeers();
        List<FakePeer> peers = new ArrayList<>();
        do {
            peers.add(stranger());
            assertThat(strangers.admit(peers.get(peers.size() - 1), 0)).isTrue();
        } while (peers.get(0).isActive());
        assertThat(peers.subList(1, peers.size())).allMatch(FakePeer::isActive);
        return String.valueOf(peers.size() - 1);
    }

    private static String timeToJoin() {
        UnauthenticatedPeers strangers = new UnauthenticatedPeers();
        FakePeer peer = stranger();
        assertThat(strangers.admit(peer, 0)).isTrue();
        long seconds = 0;
        while (peer.isActive()) {
            strangers.tick(++seconds * S);
        }
        return seconds - 1 + " s";
    }

    private static String failures(boolean noise) {
        UnauthenticatedPeers strangers = new UnauthenticatedPeers();
        return fail(strangers, noise, 0) + ", then " + fail(strangers, noise, S) + " a second";
    }

    private static long fail(UnauthenticatedPeers strangers, boolean noise, long nowNanos) {
        long failed = 0;
        while (true) {
            FakePeer peer = stranger();
            if (!strangers.admit(peer, nowNanos)) {
                // Less than the allowance of one handshake lets nobody in.
                return Math.round(failed / 100.0) * 100;
            }
            strangers.refused(peer, "no handshake", noise, nowNanos);
            strangers.forget(peer);
            failed++;
        }
    }

    // The wire

    private static String frame(int most) throws WireException {
        Frame.checkLength(most, most);
        assertThatThrownBy(() -> Frame.checkLength(most + 1, most)).isInstanceOf(WireException.class);
        return most >= 1 << 20 ? (most >> 20) + " MiB" : (most >> 10) + " KiB";
    }

    private static String joins() {
        HandDrivenSession hand = new HandDrivenSession();
        int atOnce = 0;
        while (hand.session.mayJoin(hand.now())) {
            atOnce++;
        }
        hand.advance(S);
        int aSecond = 0;
        while (hand.session.mayJoin(hand.now())) {
            aSecond++;
        }
        return atOnce + ", then " + aSecond + " a second";
    }

    private String unread() throws Exception {
        int length = 1_900_000;
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, 1, NanoClock.SYSTEM);
                DatagramRunTests.RawDatagrams tester = new DatagramRunTests.RawDatagrams(cluster.peer(1))) {
            cluster.collector.assign(1, MiniCluster.assignmentOf("x".repeat(length)));
            // A loop reads what has come before it does what it was asked to: let it have done that.
            assertThat(cluster.collector.awaitDurable(10_000_000_000L)).isTrue();
            for (int i = 0; i < (Peer.MAX_UNSENT_BYTES / length) + 2; i++) {
                tester.send(new Message.Hello(tester.ticket.token(), Frame.VERSION, i > 0, MiniCluster.FACTS));
            }
            cluster.events.await("log 1 left more than 8 MiB unread");
        }
        return (Peer.MAX_UNSENT_BYTES >> 20) + " MiB";
    }

    private static String ahead() throws WireException {
        int most = 0;
        try {
            while (true) {
                DatagramStream stream = new DatagramStream(Frame.MAX_LENGTH);
                ByteBuffer content = ByteBuffer.allocate(25)
                        .putLong(most + 1L)
                        .putLong(0)
                        .putLong(0)
                        .put((byte) 0);
                stream.receive(content.flip(), 0, ByteBuffer.allocate(1_200), sent -> {}, frame -> {});
                most++;
            }
        } catch (WireException beyond) {
            return String.valueOf(most);
        }
    }

    private static String exchanges() {
        int most = Message.Exchanges.MAX;
        TimeExchange one = new TimeExchange(1, 0, new Exchange(1, 1, 1, 1));
        assertThatCode(() -> new Message.Exchanges(Collections.nCopies(most, one)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> new Message.Exchanges(Collections.nCopies(most + 1, one)))
                .isInstanceOf(IllegalArgumentException.class);
        return String.valueOf(most);
    }

    private static String exchangesOfATester() {
        HandDrivenSession hand = new HandDrivenSession();
        hand.join(false);
        int atOnce = keptExchanges(hand);
        hand.advance(S);
        return atOnce + ", then " + keptExchanges(hand) + " a second";
    }

    private static int keptExchanges(HandDrivenSession hand) {
        int before = hand.clockRows.size();
        List<TimeExchange> many = Collections.nCopies(
                Message.Exchanges.MAX, new TimeExchange(HandDrivenSession.EPOCH, 0, new Exchange(1, 1, 1, 1)));
        for (int i = 0; i < 5; i++) {
            hand.say(new Message.Exchanges(many));
        }
        return hand.clockRows.size() - before;
    }

    private static String hostName() {
        int most = TesterFacts.MAX_HOST;
        assertThat(facts(most).host()).hasSize(most);
        assertThatThrownBy(() -> facts(most + 1)).isInstanceOf(IllegalArgumentException.class);
        return most + " characters";
    }

    private static TesterFacts facts(int hostLength) {
        return new TesterFacts("h".repeat(hostLength), 1, 1, "17", List.of(), "Linux", false);
    }

    // Blocks

    private static ByteBuffer header(int length, int columns) {
        ByteBuffer block = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        block.putInt(0x31425044).putInt(length).put((byte) Block.VERSION).put((byte) Block.CALLS);
        block.putShort((short) columns).putInt(1).putLong(1).putInt(1);
        CRC32C checksum = new CRC32C();
        checksum.update(block.array(), 0, length - 4);
        return block.putInt(length - 4, (int) checksum.getValue()).rewind();
    }

    private static String blockLength() throws CorruptBlockException {
        assertThat(Block.read(header(Block.MAX_LENGTH, 0)).rows()).isEqualTo(1);
        assertThatThrownBy(() -> Block.read(header(Block.MAX_LENGTH + 1, 0))).isInstanceOf(CorruptBlockException.class);
        return (Block.MAX_LENGTH >> 20) + " MiB";
    }

    private static String columns() throws CorruptBlockException {
        int most = Block.MAX_COLUMNS;
        assertThat(Block.read(header(4_096, most)).columns()).isEqualTo(most);
        assertThatThrownBy(() -> Block.read(header(4_096, most + 1))).isInstanceOf(CorruptBlockException.class);
        return String.valueOf(most);
    }

    private static String rows() throws CorruptBlockException {
        ShareValidator claims = new ShareValidator(new CallClients());
        for (int rows : new int[] {ShareValidator.MAX_ROWS, ShareValidator.MAX_ROWS + 1}) {
            ObservationWriter writer = new ObservationWriter(1, rows);
            for (int row = 0; row < rows; row++) {
                writer.add("raw", 7, 1, ObservationWriter.NONE, ObservationWriter.NONE);
            }
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, 1);
            assertThat(claims.objection(Block.read(block.flip()), block).isPresent())
                    .as("%d rows", rows)
                    .isEqualTo(rows > ShareValidator.MAX_ROWS);
        }
        return String.valueOf(ShareValidator.MAX_ROWS);
    }

    private static String clients() throws CorruptBlockException {
        ShareValidator claims = new ShareValidator(new CallClients());
        claims.holdTo(new TesterClients(1, 2, 3));
        for (int client = -1; client < 9; client++) {
            CallWriter writer = new CallWriter(1, 1, 0);
            writer.add(new TestCall(1, 0, 1).client(client));
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, 1);
            assertThat(claims.objection(Block.read(block.flip()), block).isEmpty())
                    .as("client %d", client)
                    .isEqualTo(client == 1 || client == 3 || client == 5);
        }
        return "those of its share of the plan";
    }
}
