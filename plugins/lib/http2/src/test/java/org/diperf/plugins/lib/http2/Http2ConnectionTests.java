package org.diperf.plugins.lib.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.diperf.plugins.lib.http2.Frames.END;
import static org.diperf.plugins.lib.http2.Frames.RST_STREAM;
import static org.diperf.plugins.lib.http2.Frames.STATUS_200;
import static org.diperf.plugins.lib.http2.Frames.WINDOW_UPDATE;
import static org.diperf.plugins.lib.http2.Frames.block;
import static org.diperf.plugins.lib.http2.Frames.bytes;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.IntStream;
import org.diperf.core.spi.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a connection sends, and what many streams on it mean for each other. */
@Timeout(60)
class Http2ConnectionTests {

    private static final int FRAME = 16_384;

    private static Talk greeted(long... settings) {
        Talk talk = new Talk();
        talk.server(new Frames().settings(settings));
        assertThat(talk.taken()).isEqualTo("SETTINGS ack");
        return talk;
    }

    @Test
    void requestsNeedNotWaitForTheServersSettings() {
        Talk talk = new Talk();
        talk.open();
        assertThat(talk.taken()).isEqualTo("HEADERS 1 end");
    }

    @Test
    void aBodyIsCutToTheFramesAndWindowsOfTheServer() {
        Talk talk = greeted(4, 40_000);
        Talk.Exchange exchange = talk.open(new byte[50_000]);
        assertThat(talk.taken()).isEqualTo("HEADERS 1, DATA 1 16384, DATA 1 16384, DATA 1 7232");
        talk.server(new Frames().number(WINDOW_UPDATE, 1, 3));
        assertThat(talk.taken()).isEqualTo("DATA 1 3");
        talk.server(new Frames().number(WINDOW_UPDATE, 1, 20_000));
        assertThat(talk.taken()).isEqualTo("DATA 1 9997 end");
        talk.server(new Frames().headers(1, END, STATUS_200));
        assertThat(exchange.outcome()).isEqualTo("ok 200 0");
    }

    @Test
    void theConnectionsWindowIsForAllStreamsInTurn() {
        Talk talk = greeted(4, 1 << 20);
        talk.open(new byte[60_000]);
        talk.open(new byte[30_000]);
        talk.open(new byte[30_000]);
        // 65,535 bytes at first, of which the first stream alone had 60,000 when the others came.
        assertThat(talk.taken())
                .isEqualTo(
                        "HEADERS 1, DATA 1 16384, DATA 1 16384, DATA 1 16384, DATA 1 10848 end, HEADERS 3, DATA 3 5535, HEADERS 5");
        talk.server(new Frames().number(WINDOW_UPDATE, 0, 2 * FRAME + 100));
        assertThat(talk.taken()).isEqualTo("DATA 3 16384, DATA 5 16384, DATA 3 100");
    }

    @Test
    void aWindowOfNothingHoldsTheBodyUntilTheServerSetsAnother() {
        Talk talk = greeted(4, 0);
        talk.open(new byte[10]);
        assertThat(talk.taken()).isEqualTo("HEADERS 1");
        talk.server(new Frames().settings(4, 6));
        assertThat(talk.taken()).isEqualTo("SETTINGS ack, DATA 1 6");
        // The window is now as large as it was, less what was sent: below nothing.
        talk.server(new Frames().settings(4, 2).number(WINDOW_UPDATE, 1, 4));
        assertThat(talk.taken()).isEqualTo("SETTINGS ack");
        talk.server(new Frames().number(WINDOW_UPDATE, 1, 1));
        assertThat(talk.taken()).isEqualTo("DATA 1 1");
        talk.server(new Frames().settings(4, 100));
        assertThat(talk.taken()).isEqualTo("SETTINGS ack, DATA 1 3 end");
    }

    @Test
    void bodiesWaitWhileTheSocketIsFull() {
        Talk talk = greeted(4, 1 << 20);
        talk.server(new Frames().number(WINDOW_UPDATE, 0, 1 << 20));
        talk.connection.socketFull(true);
        talk.open(new byte[200_000]);
        assertThat(talk.sent()).isEqualTo("HEADERS 1");
        talk.connection.socketFull(false);
        // No more than four frames at a time; the rest when these have left.
        assertThat(talk.sent()).endsWith("DATA 1 16384, DATA 1 16384, DATA 1 16384, DATA 1 16384");
        int frames = 0;
        for (String sent = talk.taken(); !sent.isEmpty(); sent = talk.taken()) {
            frames += sent.split(", ").length;
        }
        assertThat(frames).isEqualTo(1 + 13);
    }

    @Test
    void aServerAllowsSoManyStreamsAsItSays() {
        Talk talk = new Talk();
        talk.open();
        assertThat(talk.connection.canOpen())
                .as("nobody knows how many it allows")
                .isFalse();
        talk.server(new Frames().settings());
        IntStream.range(1, 100).forEach(i -> {
            assertThat(talk.connection.canOpen()).isTrue();
            talk.open();
        });
        assertThat(talk.connection.canOpen())
                .as("a server that says nothing allows any number")
                .isTrue();
        talk.server(new Frames().settings(3, 100));
        assertThat(talk.connection.canOpen()).isFalse();
        talk.server(new Frames().headers(7, END, STATUS_200));
        assertThat(talk.connection.canOpen()).isTrue();
        talk.server(new Frames().settings(3, 0));
        assertThat(talk.connection.canOpen()).isFalse();
    }

    @Test
    void aServerThatGoesAwayAnswersWhatItHasBegunAndTheRestIsRefused() {
        Talk talk = greeted();
        List<Talk.Exchange> all = List.of(talk.open(), talk.open(), talk.open(), talk.open());
        talk.server(new Frames().headers(1, END, STATUS_200).goAway(5, 0));
        assertThat(all.stream().map(Talk.Exchange::outcome))
                .containsExactly("ok 200 0", "under way", "under way", "refused");
        assertThat(talk.connection.isUsable()).isFalse();
        talk.server(new Frames().headers(5, END, STATUS_200).headers(3, END, STATUS_200));
        assertThat(all.stream().map(Talk.Exchange::outcome))
                .containsExactly("ok 200 0", "ok 200 0", "ok 200 0", "refused");
        assertThat(talk.state()).isEqualTo("over");
    }

    @Test
    void whatComesOfAStreamThatWasGivenUpIsReadAndForgotten() {
        Talk talk = greeted();
        Talk.Exchange first = talk.open();
        Talk.Exchange second = talk.open();
        talk.taken();
        talk.server(new Frames().headers(3, 0, STATUS_200));
        talk.connection.reset(first);
        assertThat(talk.taken()).isEqualTo("RST_STREAM 1 CANCEL");
        // Its fields go into the table that the next ones refer to.
        talk.server(new Frames()
                .headers(1, 0, Frames.join(STATUS_200, block(0x40, "grpc-status", "7")))
                .data(1, END, "hello")
                .number(RST_STREAM, 1, 8)
                .headers(3, END, bytes(0xbe)));
        assertThat(first.outcome()).isEqualTo("under way");
        assertThat(second.outcome()).isEqualTo("ok 200 0 grpc-status: 7");
        assertThat(talk.state()).isEqualTo("open");
    }

    @Test
    void aConnectionOnWhichNothingComesIsNotUsedAfterATimeout() {
        Talk talk = greeted();
        Talk.Exchange silent = talk.open();
        talk.connection.reset(silent);
        assertThat(talk.state()).isEqualTo("over");
    }

    @Test
    void anAnswerBeforeTheBodyWasSentEndsBoth() {
        Talk talk = greeted(4, 5);
        Talk.Exchange exchange = talk.open(new byte[10]);
        talk.server(new Frames().headers(1, END, block(":status", "413")));
        assertThat(exchange.outcome()).isEqualTo("ok 413 0");
        assertThat(talk.taken()).isEqualTo("HEADERS 1, DATA 1 5, RST_STREAM 1 CANCEL");
        talk.open(new byte[5]);
        assertThat(talk.taken()).isEqualTo("HEADERS 3, DATA 3 5 end");
    }

    @Test
    void aStreamThatIsGivenUpIsResetWithoutWaitingForTheNextRequest() {
        Talk talk = greeted(4, 5);
        talk.open(new byte[10]);
        talk.server(new Frames().headers(1, END, block(":status", "413")));
        assertThat(talk.sent()).endsWith("RST_STREAM 1 CANCEL");
        assertThat(talk.allLeaves()).isTrue();
        talk.taken();
        talk.open();
        talk.server(new Frames().headers(3, END, block("server", "x")));
        assertThat(talk.sent()).endsWith("RST_STREAM 3 PROTOCOL_ERROR");
        assertThat(talk.allLeaves()).isTrue();
    }

    @Test
    void windowsAreGivenBackWhenHalfOfThemHasCome() {
        Talk talk = greeted();
        Talk.Exchange exchange = talk.open();
        talk.taken();
        talk.server(new Frames().headers(1, 0, STATUS_200));
        Frames frame = new Frames().frame(Frames.DATA, 0, 1, new byte[FRAME]);
        for (int i = 1; i < 512; i++) {
            talk.server(frame);
        }
        assertThat(talk.taken()).isEmpty();
        talk.server(frame);
        assertThat(talk.taken()).isEqualTo("WINDOW_UPDATE 0 8388608, WINDOW_UPDATE 1 8388608");
        assertThat(exchange.bodyBytes()).isEqualTo(8 << 20);
    }

    @Test
    void theLastStreamOfAConnectionIsNotTheLastOfItsClients() {
        Talk talk = new Talk(0x7fff_ffffL);
        Talk.Exchange last = talk.open();
        assertThat(talk.connection.isUsable()).isFalse();
        talk.server(new Frames().settings().headers(0x7fff_ffff, END, STATUS_200));
        assertThat(last.outcome()).isEqualTo("ok 200 0");
        assertThat(talk.state()).isEqualTo("over");
    }

    @Test
    void allThatIsUnderWayEndsWithTheConnection() {
        Talk talk = greeted();
        Talk.Exchange before = talk.open();
        Talk.Exchange within = talk.open();
        talk.server(new Frames().headers(3, 0, STATUS_200));
        talk.connection.end(Failure.ofService("before"), Failure.ofService("within"));
        assertThat(List.of(before.outcome(), within.outcome())).containsExactly("before", "within");
    }

    @Test
    void answersToAServerThatDoesNotReadAreNotKeptForEver() {
        Talk talk = greeted();
        Talk.Exchange exchange = talk.open();
        // A few pings at a time, each time with a bit of a body, so that it is no flood.
        talk.server(new Frames().headers(1, 0, STATUS_200));
        for (int i = 0; i < 70_000 && talk.connection.isUsable(); i++) {
            talk.server(new Frames().frame(Frames.PING, 0, 0, new byte[8]).data(1, 0, "x"));
        }
        assertThat(exchange.outcome()).isEqualTo("http/2: answers to it are not read");
    }

    @Test
    void manyStreamsInAnyOrderEachHaveTheirOwn() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Talk talk = greeted();
        Queue<Talk.Exchange> free = new ArrayDeque<>();
        List<Talk.Exchange> open = new ArrayList<>();
        int expected = 0;
        int ok = 0;
        for (int i = 0; i < 20_000; i++) {
            if (open.size() < 40 && random.nextBoolean()) {
                Talk.Exchange next = free.isEmpty() ? new Talk.Exchange() : free.remove();
                talk.begin(next, Talk.NO_BODY);
                open.add(next);
                talk.taken();
            } else if (!open.isEmpty()) {
                Talk.Exchange one = open.remove(random.nextInt(open.size()));
                int id = one.id;
                int ends = one.ends;
                String body = "x".repeat(id % 50);
                talk.server(new Frames().headers(id, 0, STATUS_200).data(id, END, body));
                assertThat(one.ends).as("seed %d", seed).isEqualTo(ends + 1);
                assertThat(one.outcome()).as("seed %d", seed).isEqualTo("ok 200 " + body.length());
                free.add(one);
                expected++;
                ok++;
            }
        }
        assertThat(ok).isEqualTo(expected).isPositive();
        assertThat(talk.state()).isEqualTo("open");
    }

    @Test
    void anExchangeAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Talk talk = greeted();
        Talk.Exchange exchange = new Talk.Exchange() {
            @Override
            protected void data(io.netty.buffer.ByteBuf in, int from, int count) {}
        };
        io.netty.buffer.ByteBuf in = io.netty.buffer.Unpooled.directBuffer(1024);
        for (int round = 0; round < 2; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                talk.begin(exchange, Talk.NO_BODY);
                in.clear();
                in.writeMedium(1)
                        .writeByte(1)
                        .writeByte(4)
                        .writeInt(exchange.id)
                        .writeByte(0x88);
                in.writeMedium(5)
                        .writeByte(0)
                        .writeByte(1)
                        .writeInt(exchange.id)
                        .writeZero(5);
                talk.connection.received(in);
                talk.out().clear();
            }
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            if (round > 0) {
                assertThat(bytes / 10_000).isLessThan(1);
            }
        }
        assertThat(exchange.ends).isEqualTo(20_000);
    }
}
