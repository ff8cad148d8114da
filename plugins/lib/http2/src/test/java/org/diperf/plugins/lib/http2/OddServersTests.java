package org.diperf.plugins.lib.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.diperf.plugins.lib.http2.Frames.CONTINUATION;
import static org.diperf.plugins.lib.http2.Frames.DATA;
import static org.diperf.plugins.lib.http2.Frames.END;
import static org.diperf.plugins.lib.http2.Frames.END_HEADERS;
import static org.diperf.plugins.lib.http2.Frames.GOAWAY;
import static org.diperf.plugins.lib.http2.Frames.HEADERS;
import static org.diperf.plugins.lib.http2.Frames.PADDED;
import static org.diperf.plugins.lib.http2.Frames.PING;
import static org.diperf.plugins.lib.http2.Frames.PRIORITY;
import static org.diperf.plugins.lib.http2.Frames.PUSH_PROMISE;
import static org.diperf.plugins.lib.http2.Frames.RST_STREAM;
import static org.diperf.plugins.lib.http2.Frames.SETTINGS;
import static org.diperf.plugins.lib.http2.Frames.STATUS_200;
import static org.diperf.plugins.lib.http2.Frames.WINDOW_UPDATE;
import static org.diperf.plugins.lib.http2.Frames.WITH_PRIORITY;
import static org.diperf.plugins.lib.http2.Frames.block;
import static org.diperf.plugins.lib.http2.Frames.bytes;
import static org.diperf.plugins.lib.http2.Frames.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What becomes of a request and of its connection whatever a server does: the ideas of h2spec, turned round. Each server is tried three
 * times: what it sends comes at once, byte by byte, and in pieces of seven.
 */
@Timeout(60)
class OddServersTests {

    private static final long MAX_BYTES = 2 << 20;
    private static final byte[] NONE = {};

    /**
     * A server.
     *
     * @param what it does
     * @param sends after its settings, to a request on stream 1
     * @param outcome of the request
     * @param state of the connection
     */
    record Server(String what, byte[] sends, String outcome, String state) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static final List<Server> SERVERS = new ArrayList<>();

    private static Frames frames() {
        return new Frames().settings();
    }

    private static void server(String what, Frames sends, String outcome, String state) {
        SERVERS.add(new Server(what, sends.toBytes(), outcome, state));
    }

    private static void fine(String what, Frames sends) {
        server(what, sends, "ok 200 5", "open");
    }

    /** A response that cannot be used, on a connection that can. */
    private static void malformed(String what, Frames sends, String why) {
        server(what, sends, "bad response: " + why, "open");
    }

    private static void broken(String what, Frames sends, String code, String why) {
        server(what, sends, "http/2: " + why, "broken: " + code);
    }

    private static Frames hello(Frames frames) {
        return frames.headers(1, 0, STATUS_200).data(1, END, "hello");
    }

    private static Frames times(int count, Frames frames, Consumer<Frames> each) {
        for (int i = 0; i < count; i++) {
            each.accept(frames);
        }
        return frames;
    }

    private static Frames head(String... fields) {
        return frames().headers(1, 0, block(fields)).data(1, END, "hello");
    }

    static Stream<Server> servers() {
        SERVERS.clear();
        theirWay();
        ends();
        responses();
        wrongFrames();
        wrongStreams();
        blocks();
        floods();
        return SERVERS.stream();
    }

    private static void theirWay() {
        fine("answers", hello(frames()));
        fine(
                "sends bytes one a frame",
                times(5, frames().headers(1, 0, STATUS_200), f -> f.data(1, 0, "x"))
                        .data(1, END, ""));
        fine(
                "pads",
                frames().frame(HEADERS, END_HEADERS | PADDED, 1, bytes(3, 0x88, 0, 0, 0))
                        .frame(DATA, END | PADDED, 1, join(bytes(4), Talk.text("hello"), new byte[4])));
        fine(
                "pads with nothing",
                frames().frame(HEADERS, END_HEADERS | PADDED, 1, bytes(0, 0x88))
                        .frame(DATA, END | PADDED, 1, join(bytes(0), Talk.text("hello"))));
        fine(
                "pads an empty end",
                frames().headers(1, 0, STATUS_200).data(1, 0, "hello").frame(DATA, END | PADDED, 1, new byte[1]));
        fine(
                "gives a priority",
                frames().frame(HEADERS, END_HEADERS | WITH_PRIORITY, 1, bytes(0, 0, 0, 3, 9, 0x88))
                        .data(1, END, "hello"));
        fine(
                "continues a block",
                frames().frame(HEADERS, 0, 1, bytes(0x88, 0, 1, 'a'))
                        .frame(CONTINUATION, 0, 1, bytes(1))
                        .frame(CONTINUATION, END_HEADERS, 1, bytes('b'))
                        .data(1, END, "hello"));
        fine(
                "continues with nothing",
                times(50, frames().frame(HEADERS, 0, 1, STATUS_200), f -> f.frame(CONTINUATION, 0, 1, NONE))
                        .frame(CONTINUATION, END_HEADERS, 1, NONE)
                        .data(1, END, "hello"));
        fine("sends early hints", hello(frames().headers(1, 0, block(":status", "103", "link", "x"))));
        fine(
                "sends frames that nobody knows",
                hello(frames().frame(0x2a, 0xff, 1, new byte[20]).frame(0xfe, 0, 0, NONE)));
        fine("sends settings that nobody knows", hello(new Frames().settings(0x99, 7, 0xfff0, -1)));
        fine(
                "sets flags that nobody knows",
                frames().frame(HEADERS, END_HEADERS | 0x40, 1, STATUS_200)
                        .frame(DATA, END | 0x42, 1, Talk.text("hello")));
        fine(
                "sets the reserved bit",
                frames().headers(0x8000_0001, 0, STATUS_200).data(0x8000_0001, END, "hello"));
        fine(
                "sends priorities",
                hello(frames().frame(PRIORITY, 0, 1, new byte[5]).frame(PRIORITY, 0, 99, new byte[5])));
        fine(
                "sends empty bodies first",
                frames().headers(1, 0, STATUS_200).data(1, 0, "").data(1, 0, "").data(1, END, "hello"));
        fine(
                "acknowledges what was not sent",
                hello(frames().frame(SETTINGS, 1, 0, NONE)
                        .frame(SETTINGS, 1, 0, NONE)
                        .frame(PING, 1, 0, new byte[8])));
        fine("sets twice", hello(frames().settings(4, 100, 4, 200, 3, 1, 3, 10)));
        fine("takes frames of 16 MiB", hello(new Frames().settings(5, 0xff_ffff)));
        fine(
                "opens its windows",
                hello(frames().number(WINDOW_UPDATE, 0, 0x7fff_ffff - 65_535)
                        .number(WINDOW_UPDATE, 1, 0x7fff_ffff - 65_535)));
        fine("opens a window after the end", hello(frames()).number(WINDOW_UPDATE, 1, 5));
        fine("resets after the end", hello(frames()).number(RST_STREAM, 1, 0));
        fine("says the length twice", head(":status", "200", "content-length", "5", "content-length", "5"));
        fine("empties the table", frames().headers(1, 0, bytes(0x20, 0x88)).data(1, END, "hello"));
        fine(
                "writes in Huffman's code",
                frames()
                        // content-length: 5, whose code is 011011, filled up with ones
                        .headers(1, 0, join(STATUS_200, bytes(0x0f, 0x0d, 0x81, 0x6f)))
                        .data(1, END, "hello"));
        server(
                "sends trailers",
                frames().headers(1, 0, STATUS_200).data(1, 0, "hello").headers(1, END, block("grpc-status", "0")),
                "ok 200 5 grpc-status: 0",
                "open");
        server("answers without a body", frames().headers(1, END, STATUS_200), "ok 200 0", "open");
        server(
                "says a length without a body",
                frames().headers(1, END, block(":status", "304", "content-length", "9")),
                "ok 304 0",
                "open");
        server("is silent", frames(), "under way", "open");
        server("never ends", frames().headers(1, 0, STATUS_200).data(1, 0, "hel"), "under way", "open");
    }

    private static void ends() {
        server(
                "goes away when done",
                frames().goAway(1, 0).headers(1, 0, STATUS_200).data(1, END, "hello"),
                "ok 200 5",
                "over");
        server(
                "goes away within",
                frames().headers(1, 0, STATUS_200).goAway(1, 0).data(1, END, "hello"),
                "ok 200 5",
                "over");
        server("goes away in two steps", hello(frames().goAway(0x7fff_ffff, 0).goAway(1, 0)), "ok 200 5", "over");
        server("goes away and stays", frames().goAway(1, 0), "under way", "draining");
        server("goes away with a long reason", hello(frames().frame(GOAWAY, 0, 0, new byte[1000])), "refused", "over");
        server("goes away before the request", frames().goAway(0, 0), "refused", "over");
        server("goes away with an error", frames().goAway(0, 11), "refused", "over");
        server("refuses the stream", frames().number(RST_STREAM, 1, 7), "refused", "open");
        server("resets", frames().number(RST_STREAM, 1, 2), "reset by the server: INTERNAL_ERROR", "open");
        server("cancels", frames().number(RST_STREAM, 1, 8), "reset by the server: CANCEL", "open");
        server("needs HTTP/1.1", frames().number(RST_STREAM, 1, 13), "reset by the server: HTTP_1_1_REQUIRED", "open");
        server("resets without an error", frames().number(RST_STREAM, 1, 0), "reset by the server: NO_ERROR", "open");
        server(
                "resets for its own reasons",
                frames().number(RST_STREAM, 1, -7),
                "reset by the server: an unknown error",
                "open");
        server(
                "refuses what it has answered",
                frames().headers(1, 0, STATUS_200).data(1, 0, "he").number(RST_STREAM, 1, 7),
                "reset by the server: REFUSED_STREAM",
                "open");
        server(
                "goes away from what it has answered",
                frames().headers(1, 0, STATUS_200).data(1, 0, "he").goAway(0, 0),
                "reset by the server: REFUSED_STREAM",
                "over");
        server(
                "resets within the body",
                frames().headers(1, 0, STATUS_200).data(1, 0, "he").number(RST_STREAM, 1, 2),
                "reset by the server: INTERNAL_ERROR",
                "open");
    }

    private static void responses() {
        malformed("says no status", head("server", "x"), "no status");
        malformed("says nothing at all", frames().headers(1, 0, NONE).data(1, END, "hello"), "no status");
        malformed("says two", head(":status", "200", ":status", "200"), "header fields");
        malformed("says a status of two digits", head(":status", "99"), "header fields");
        malformed("says a status of four", head(":status", "2000"), "header fields");
        malformed("says a status that is none", head(":status", "yes"), "header fields");
        malformed("says the status last", head("server", "x", ":status", "200"), "header fields");
        malformed("makes up a pseudo field", head(":status", "200", ":state", "x"), "header fields");
        malformed("sends a request", head(":method", "GET", ":path", "/"), "no status");
        malformed("mixes request and response", head(":status", "200", ":path", "/"), "header fields");
        malformed("shouts", head(":status", "200", "Server", "x"), "header fields");
        malformed("has a field about the connection", head(":status", "200", "connection", "close"), "header fields");
        malformed("sends a field without a name", head(":status", "200", "", "x"), "header fields");
        malformed("breaks a line", head(":status", "200", "a", "x\r\ny: z"), "header fields");
        malformed(
                "says too long a length",
                head(":status", "200", "content-length", "6"),
                "content-length does not match the body");
        malformed(
                "says too short a length",
                head(":status", "200", "content-length", "4"),
                "content-length does not match the body");
        malformed(
                "says a length without any body",
                frames().headers(1, END, block(":status", "200", "content-length", "4")),
                "content-length does not match the body");
        malformed("says a negative length", head(":status", "200", "content-length", "-5"), "header fields");
        malformed(
                "says a length without measure",
                head(":status", "200", "content-length", "9".repeat(30)),
                "header fields");
        malformed(
                "says two lengths",
                head(":status", "200", "content-length", "5", "content-length", "6"),
                "header fields");
        malformed(
                "begins with the body",
                frames().data(1, 0, "hello").headers(1, END, STATUS_200),
                "a body before the status");
        malformed(
                "has trailers without an end",
                frames().headers(1, 0, STATUS_200).data(1, 0, "hello").headers(1, 0, block("a", "b")),
                "trailers");
        malformed("answers twice", frames().headers(1, 0, STATUS_200).headers(1, END, STATUS_200), "trailers");
        malformed("switches protocols", frames().headers(1, 0, block(":status", "101")), "status 101");
        malformed("ends with a hint", frames().headers(1, END, block(":status", "103")), "status 103");
        malformed("opens a window by nothing", frames().number(WINDOW_UPDATE, 1, 0), "a window update of zero");
        malformed(
                "opens a window too far", frames().number(WINDOW_UPDATE, 1, 0x7fff_ffff), "a window that is too large");
        String[] many = new String[6_000];
        Arrays.fill(many, "a");
        malformed("sends very many fields", frames().headers(1, END, join(STATUS_200, block(many))), "header fields");
    }

    private static void wrongFrames() {
        String none = "the server does not speak it";
        broken(
                "speaks HTTP/1.1",
                new Frames().raw(Talk.text("HTTP/1.1 400 Bad Request\r\n\r\n")),
                "PROTOCOL_ERROR",
                "the server speaks HTTP/1.1");
        broken("speaks something else", new Frames().raw(Talk.text("SSH-2.0-OpenSSH_9.2\r\n")), "PROTOCOL_ERROR", none);
        broken("greets by a ping", new Frames().frame(PING, 0, 0, new byte[8]), "PROTOCOL_ERROR", none);
        broken("greets by an answer", hello(new Frames()), "PROTOCOL_ERROR", none);
        broken("greets by an acknowledgement", new Frames().frame(SETTINGS, 1, 0, NONE), "PROTOCOL_ERROR", none);
        broken("greets by going away", new Frames().goAway(0, 0), "PROTOCOL_ERROR", none);
        broken(
                "sends too large a frame",
                frames().headers(1, 0, STATUS_200).frame(16_385, DATA, 0, 1, NONE),
                "FRAME_SIZE_ERROR",
                "a frame that is too large");
        broken(
                "sends the largest frame",
                frames().frame(0xff_ffff, 0x2a, 0, 1, NONE),
                "FRAME_SIZE_ERROR",
                "a frame that is too large");
        size("SETTINGS", frames().frame(SETTINGS, 0, 0, new byte[5]));
        size("SETTINGS", frames().frame(SETTINGS, 1, 0, new byte[6]));
        size("PING", frames().frame(PING, 0, 0, new byte[7]));
        size("PING", frames().frame(PING, 0, 0, new byte[9]));
        size("RST_STREAM", frames().frame(RST_STREAM, 0, 1, new byte[3]));
        size("WINDOW_UPDATE", frames().frame(WINDOW_UPDATE, 0, 0, new byte[5]));
        size("PRIORITY", frames().frame(PRIORITY, 0, 1, new byte[4]));
        size("GOAWAY", frames().frame(GOAWAY, 0, 0, new byte[7]));
        size("DATA", frames().headers(1, 0, STATUS_200).frame(DATA, PADDED, 1, NONE));
        size("HEADERS", frames().frame(HEADERS, END_HEADERS | PADDED, 1, NONE));
        broken(
                "pads a body too much",
                frames().headers(1, 0, STATUS_200).frame(DATA, PADDED, 1, bytes(5, 0, 0, 0, 0)),
                "PROTOCOL_ERROR",
                "padding larger than the frame");
        broken(
                "pads fields too much",
                frames().frame(HEADERS, END_HEADERS | PADDED, 1, bytes(3, 0x88, 0)),
                "PROTOCOL_ERROR",
                "padding larger than the frame");
        broken(
                "has no room for its priority",
                frames().frame(HEADERS, END_HEADERS | WITH_PRIORITY, 1, bytes(0, 0, 0)),
                "PROTOCOL_ERROR",
                "padding larger than the frame");
        broken(
                "pushes",
                frames().frame(PUSH_PROMISE, END_HEADERS, 1, bytes(0, 0, 0, 2, 0x82)),
                "PROTOCOL_ERROR",
                "a push that was not allowed");
        broken(
                "allows pushes",
                new Frames().settings(2, 1),
                "PROTOCOL_ERROR",
                "a setting not allowed for servers: ENABLE_PUSH");
        broken(
                "sets a window too large",
                new Frames().settings(4, 0x8000_0000L),
                "FLOW_CONTROL_ERROR",
                "a setting out of range: INITIAL_WINDOW_SIZE");
        broken(
                "sets frames too small",
                new Frames().settings(5, 16_383),
                "PROTOCOL_ERROR",
                "a setting out of range: MAX_FRAME_SIZE");
        broken(
                "sets frames too large",
                new Frames().settings(5, 0x100_0000),
                "PROTOCOL_ERROR",
                "a setting out of range: MAX_FRAME_SIZE");
        broken(
                "opens the window by nothing",
                frames().number(WINDOW_UPDATE, 0, 0),
                "PROTOCOL_ERROR",
                "a window update of zero");
        broken(
                "opens the window too far",
                frames().number(WINDOW_UPDATE, 0, 0x7fff_ffff),
                "FLOW_CONTROL_ERROR",
                "a window that is too large");
        broken(
                "sets a window too large with what it has",
                frames().number(WINDOW_UPDATE, 1, 0x7fff_0000).settings(4, 0x7fff_ffff),
                "FLOW_CONTROL_ERROR",
                "a window that is too large");
    }

    private static void size(String frame, Frames sends) {
        broken(
                "sends a " + frame + " of the wrong size " + SERVERS.size(),
                sends,
                "FRAME_SIZE_ERROR",
                "a frame of the wrong size: " + frame);
    }

    private static void wrongStreams() {
        for (int stream : new int[] {0, 2, 3, 0x7fff_ffff}) {
            nobody("HEADERS", stream, frames().headers(stream, END, STATUS_200));
            nobody("DATA", stream, frames().data(stream, END, "x"));
            nobody("RST_STREAM", stream, frames().number(RST_STREAM, stream, 0));
            if (stream > 0) {
                nobody("WINDOW_UPDATE", stream, frames().number(WINDOW_UPDATE, stream, 1));
            }
        }
        broken(
                "gives the connection a priority",
                frames().frame(PRIORITY, 0, 0, new byte[5]),
                "PROTOCOL_ERROR",
                "PRIORITY on the connection");
        broken("sets a stream", frames().frame(SETTINGS, 0, 1, NONE), "PROTOCOL_ERROR", "SETTINGS on a stream");
        broken("pings a stream", frames().frame(PING, 0, 1, new byte[8]), "PROTOCOL_ERROR", "PING on a stream");
        broken(
                "goes away from a stream",
                frames().frame(GOAWAY, 0, 1, new byte[8]),
                "PROTOCOL_ERROR",
                "GOAWAY on a stream");
        server("answers again", hello(hello(frames())), "ok 200 5", "broken: STREAM_CLOSED");
        server("sends more after the end", hello(frames()).data(1, 0, "more"), "ok 200 5", "broken: STREAM_CLOSED");
    }

    private static void nobody(String frame, int stream, Frames sends) {
        broken(
                "sends " + frame + " of stream " + stream,
                sends,
                "PROTOCOL_ERROR",
                "a frame on a stream that was not opened: " + frame);
    }

    private static void blocks() {
        String within = "another frame within a header block";
        broken(
                "continues nothing",
                frames().frame(CONTINUATION, END_HEADERS, 1, STATUS_200),
                "PROTOCOL_ERROR",
                "a CONTINUATION without a header block");
        broken(
                "continues after the end",
                frames().headers(1, 0, STATUS_200).frame(CONTINUATION, END_HEADERS, 1, STATUS_200),
                "PROTOCOL_ERROR",
                "a CONTINUATION without a header block");
        broken(
                "pings within a block",
                frames().frame(HEADERS, 0, 1, STATUS_200).frame(PING, 0, 0, new byte[8]),
                "PROTOCOL_ERROR",
                within);
        broken(
                "sends a body within a block",
                frames().frame(HEADERS, 0, 1, STATUS_200).data(1, 0, "x"),
                "PROTOCOL_ERROR",
                within);
        broken(
                "sends an unknown frame within a block",
                frames().frame(HEADERS, 0, 1, STATUS_200).frame(0x2a, 0, 1, NONE),
                "PROTOCOL_ERROR",
                within);
        broken(
                "begins a block within a block",
                frames().frame(HEADERS, 0, 1, STATUS_200).headers(1, 0, STATUS_200),
                "PROTOCOL_ERROR",
                within);
        broken(
                "continues another stream's block",
                frames().frame(HEADERS, 0, 1, STATUS_200).frame(CONTINUATION, 0, 3, NONE),
                "PROTOCOL_ERROR",
                within);
        unreadable("has a field of index 0", bytes(0x80));
        unreadable("has a field that is in no table", bytes(0xff, 0x80, 0x01));
        unreadable("has a name that is in no table", bytes(0x7f, 0x40, 1, 'x'));
        unreadable("cuts a name", bytes(0, 5, 'a'));
        unreadable("cuts a value", bytes(0, 1, 'a', 9, 'b'));
        unreadable("cuts a number", bytes(0xff));
        unreadable(
                "sends a number without end",
                bytes(0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1));
        unreadable(
                "sends a length without end", bytes(0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1));
        unreadable("takes more of a table than there is", bytes(0x3f, 0xe2, 0x1f, 0x88)); // 4,097 bytes
        unreadable("writes no Huffman code", bytes(0x88, 0, 0x84, 0xff, 0xff, 0xff, 0xff, 0));
    }

    private static void unreadable(String what, byte[] block) {
        broken(what, frames().headers(1, END, block), "COMPRESSION_ERROR", "a header block that cannot be read");
    }

    private static void floods() {
        flood("PING", f -> f.frame(PING, 0, 0, new byte[8]));
        flood("settings", Frames::settings);
        flood("priorities", f -> f.frame(PRIORITY, 0, 1, new byte[5]));
        flood("frames that nobody knows", f -> f.frame(0x2a, 0, 0, NONE));
        flood("windows", f -> f.number(WINDOW_UPDATE, 0, 1));
        flood("hints", f -> f.headers(1, 0, block(":status", "103")));
        flood("goodbyes", f -> f.goAway(1, 0));
        server(
                "floods with resets",
                times(10_100, hello(frames()), f -> f.number(RST_STREAM, 1, 0)),
                "ok 200 5",
                "broken: ENHANCE_YOUR_CALM");
        broken(
                "floods with bodies of nothing",
                times(10_100, frames().headers(1, 0, STATUS_200), f -> f.data(1, 0, "")),
                "ENHANCE_YOUR_CALM",
                "too many frames that belong to no response");
        broken(
                "continues for ever with nothing",
                times(200, frames().frame(HEADERS, 0, 1, STATUS_200), f -> f.frame(CONTINUATION, 0, 1, NONE)),
                "ENHANCE_YOUR_CALM",
                "a header block that is too long");
        broken(
                "continues for ever",
                times(
                        20,
                        frames().frame(HEADERS, 0, 1, STATUS_200),
                        f -> f.frame(CONTINUATION, 0, 1, block("a", "x".repeat(16_000)))),
                "ENHANCE_YOUR_CALM",
                "a header block that is too long");
        // One entry of 4,000 bytes, meant 16,000 times: 64 MB of fields in a block of 20 KB.
        byte[] bomb = new byte[16_000];
        Arrays.fill(bomb, (byte) 0xbe);
        malformed(
                "sends a bomb",
                frames().frame(HEADERS, 0, 1, join(STATUS_200, block(0x40, "a", "x".repeat(4_000))))
                        .frame(CONTINUATION, END_HEADERS, 1, bomb),
                "header fields");
    }

    private static void flood(String of, Consumer<Frames> frame) {
        broken(
                "floods with " + of,
                times(10_100, frames(), frame),
                "ENHANCE_YOUR_CALM",
                "too many frames that belong to no response");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void eachOddServerHasItsOutcomeHoweverWhatItSendsComes(Server server) {
        for (int piece : new int[] {Integer.MAX_VALUE, 7, 1}) {
            Talk talk = new Talk();
            Talk.Exchange exchange = talk.open();
            talk.server(server.sends, piece);
            assertThat(exchange.outcome()).as("in pieces of %d", piece).isEqualTo(server.outcome);
            assertThat(exchange.ends + exchange.refusals).isLessThanOrEqualTo(1);
            assertThat(talk.state()).as("in pieces of %d", piece).isEqualTo(server.state);
            if (server.state.equals("open")) {
                Talk.Exchange next = talk.open();
                talk.server(new Frames().headers(3, 0, STATUS_200).data(3, END, "hello"));
                assertThat(next.outcome()).as("the next one").isEqualTo("ok 200 5");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void noServerTakesMuchMemory(Server server) {
        Memory.atMost(MAX_BYTES, () -> {
            Talk talk = new Talk();
            talk.open();
            talk.server(server.sends, Integer.MAX_VALUE);
        });
    }

    @Test
    void thereAreMoreThanAHundred() {
        assertThat(servers().map(Server::what).distinct()).hasSizeGreaterThan(110);
    }
}
