package org.diperf.tester.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept of what is said in a call. */
@Timeout(30)
class CallDialogueTests {

    private static final Memory PLENTY = new Memory(1 << 30);

    private static final CallDialogue.Words PLAIN = new CallDialogue.Words() {
        @Override
        public String ofBytes(boolean sent, byte[] bytes) {
            return Dialogue.text(bytes);
        }

        @Override
        public String ofNote(String note) {
            return note;
        }
    };

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatGoesInOneDirectionIsOneStretchHoweverItIsSplit() {
        CallDialogue dialogue = new CallDialogue(PLENTY);
        dialogue.sent(bytes("GET /"));
        dialogue.sent(bytes("xx HTTP/1.1\r\n\r\nyy"), 2, 13);
        ByteBuffer in = ByteBuffer.allocateDirect(16).put(bytes("..HTTP/1.1 200"));
        in.flip().position(2);
        dialogue.received(in);
        assertThat(in.position()).isEqualTo(2);
        dialogue.received(bytes(" OK\n\u0007"));
        dialogue.note("closed");

        assertThat(dialogue.text(PLAIN)).isEqualTo("> GET / HTTP/1.1\n> \n< HTTP/1.1 200 OK\n< ·\n* closed");
    }

    @Test
    void theNextCallBeginsWithNothing() {
        CallDialogue dialogue = new CallDialogue(PLENTY);
        dialogue.sent(bytes("one"));
        dialogue.clear();
        assertThat(dialogue.isEmpty()).isTrue();
        assertThat(dialogue.text(PLAIN)).isEmpty();
        dialogue.received(bytes("two"));
        assertThat(dialogue.text(PLAIN)).isEqualTo("< two");
    }

    @Test
    void ofALongStretchTheBeginIsKeptAndTheRestCounted() {
        CallDialogue dialogue = new CallDialogue(PLENTY);
        dialogue.sent(bytes("a".repeat(10_000)));
        dialogue.received(bytes("b".repeat(10)));
        assertThat(dialogue.text(PLAIN))
                .isEqualTo("> " + "a".repeat(CallDialogue.MAX_BYTES / 2) + "\n* "
                        + (10_000 - CallDialogue.MAX_BYTES / 2) + " more bytes omitted\n< bbbbbbbbbb");
    }

    @Test
    void ofManyStretchesTheLastOnesAreKept() {
        CallDialogue dialogue = new CallDialogue(PLENTY);
        for (int i = 0; i < 1_000; i++) {
            dialogue.sent(bytes("command " + i));
            dialogue.received(bytes("reply " + i));
        }
        assertThat(dialogue.text(PLAIN))
                .startsWith("* earlier content omitted\n> command 984\n< reply 984\n")
                .endsWith("> command 999\n< reply 999");
    }

    @Test
    void aCopyStaysAsItIs() {
        CallDialogue dialogue = new CallDialogue(PLENTY);
        dialogue.sent(bytes("x".repeat(1_500)));
        CallDialogue copy = new CallDialogue(PLENTY);
        copy.copy(dialogue);
        String said = dialogue.text(PLAIN);
        dialogue.clear();
        dialogue.received(bytes("y".repeat(2_000)));
        assertThat(copy.text(PLAIN)).isEqualTo(said);
    }

    @Test
    void whateverIsSaidWhatIsShownWasSaid() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2_000; round++) {
            CallDialogue dialogue = new CallDialogue(1 << (8 + random.nextInt(5)), new Memory(random.nextInt(5_000)));
            List<String> stretches = new ArrayList<>();
            for (int call = 0; call < 3; call++) {
                dialogue.clear();
                stretches.clear();
                int pieces = random.nextInt(60);
                for (int i = 0; i < pieces; i++) {
                    boolean sent = random.nextBoolean();
                    String piece =
                            String.valueOf((char) ('a' + random.nextInt(26))).repeat(1 + random.nextInt(300));
                    if (sent) {
                        dialogue.sent(bytes(piece));
                    } else {
                        dialogue.received(ByteBuffer.wrap(bytes(piece)));
                    }
                    String mark = sent ? "> " : "< ";
                    int last = stretches.size() - 1;
                    if (last >= 0 && stretches.get(last).startsWith(mark)) {
                        stretches.set(last, stretches.get(last) + piece);
                    } else {
                        stretches.add(mark + piece);
                    }
                }
            }
            List<String> shown = dialogue.text(PLAIN)
                    .lines()
                    .filter(line -> !line.startsWith("* "))
                    .toList();
            assertThat(shown.isEmpty()).as("seed %d, round %d", seed, round).isEqualTo(stretches.isEmpty());
            int from = stretches.size() - shown.size();
            for (int i = 0; i < shown.size(); i++) {
                assertThat(stretches.get(from + i))
                        .as("seed %d, round %d", seed, round)
                        .startsWith(shown.get(i));
            }
        }
    }
}
