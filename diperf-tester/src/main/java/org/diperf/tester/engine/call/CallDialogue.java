package org.diperf.tester.engine.call;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Memory;

/**
 * What was said in the call of one slot: a ring of stretches, each in one direction. Of a stretch the first bytes are kept, and
 * when the ring is full the oldest stretches go. It grows up to its limit as calls need it, and allocates nothing else. The
 * numbers that say where a stretch lies are checked when they are read, because that may be while another thread writes.
 */
public final class CallDialogue implements Dialogue {

    /** What a slot holds at most, in bytes. */
    static final int MAX_BYTES = 4 << 10;

    private static final int FIRST_BYTES = 256;
    /** Stretches that are told apart. */
    private static final int STRETCHES = 32;

    private static final int SENT = 0;
    private static final int RECEIVED = 1;
    private static final int NOTE = 2;

    private final Memory memory;
    private int mostBytes;
    /** What is kept of one stretch: half of the whole, so that an answer has room next to a long request. */
    private int mostOfStretch;

    private byte[] ring;
    /** Bytes kept of this call so far, those included that were overwritten. */
    private long written;
    /** Stretches begun in this call. */
    private int stretches;

    private final long[] begin = new long[STRETCHES];
    private final int[] kept = new int[STRETCHES];
    private final long[] left = new long[STRETCHES];
    private final byte[] kind = new byte[STRETCHES];

    /** @param memory counts what it grows to beyond its first size */
    CallDialogue(Memory memory) {
        this(MAX_BYTES, memory);
    }

    /** @param mostBytes a power of two of at least 256 */
    CallDialogue(int mostBytes, Memory memory) {
        this.memory = memory;
        this.mostBytes = mostBytes;
        this.mostOfStretch = mostBytes / 2;
        this.ring = new byte[Math.min(FIRST_BYTES, mostBytes)];
    }

    /** Forgets what was said: another call begins. */
    void clear() {
        written = 0;
        stretches = 0;
    }

    /** Goes back to its first size. */
    void forget() {
        clear();
        int first = Math.min(FIRST_BYTES, ring.length);
        memory.resize(ring.length, first);
        ring = new byte[first];
    }

    boolean isEmpty() {
        return stretches == 0;
    }

    /** Takes over what another one holds. */
    void copy(CallDialogue from) {
        byte[] theirs = from.ring;
        if (ring.length != theirs.length) {
            ring = new byte[theirs.length];
        }
        System.arraycopy(theirs, 0, ring, 0, theirs.length);
        System.arraycopy(from.begin, 0, begin, 0, STRETCHES);
        System.arraycopy(from.kept, 0, kept, 0, STRETCHES);
        System.arraycopy(from.left, 0, left, 0, STRETCHES);
        System.arraycopy(from.kind, 0, kind, 0, STRETCHES);
        written = from.written;
        stretches = from.stretches;
    }

    @Override
    public void sent(byte[] bytes, int from, int length) {
        add(SENT, bytes, from, length);
    }

    @Override
    public void sent(ByteBuffer bytes) {
        add(SENT, bytes);
    }

    @Override
    public void received(byte[] bytes, int from, int length) {
        add(RECEIVED, bytes, from, length);
    }

    @Override
    public void received(ByteBuffer bytes) {
        add(RECEIVED, bytes);
    }

    @Override
    public void note(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        stretches++;
        open(NOTE);
        add(NOTE, bytes, 0, bytes.length);
    }

    private void add(int of, byte[] bytes, int from, int length) {
        int count = room(of, length);
        int at = at(written - count);
        int first = Math.min(count, ring.length - at);
        System.arraycopy(bytes, from, ring, at, first);
        System.arraycopy(bytes, from + first, ring, 0, count - first);
    }

    private void add(int of, ByteBuffer bytes) {
        int count = room(of, bytes.remaining());
        int at = at(written - count);
        int first = Math.min(count, ring.length - at);
        bytes.get(bytes.position(), ring, at, first);
        bytes.get(bytes.position() + first, ring, 0, count - first);
    }

    private int at(long position) {
        return (int) (position & (ring.length - 1));
    }

    /** Makes room for bytes of a direction; returns how many of them are kept. */
    private int room(int of, int length) {
        if (stretches == 0 || kind[stretches - 1 & STRETCHES - 1] != of) {
            stretches++;
            open(of);
        }
        int last = stretches - 1 & STRETCHES - 1;
        int count = Math.max(0, Math.min(length, mostOfStretch - kept[last]));
        while (written + count > ring.length && ring.length < mostBytes) {
            if (memory.resize(ring.length, 2L * ring.length)) {
                // Nothing is overwritten before it has its full size, so what there is lies at the begin.
                ring = Arrays.copyOf(ring, ring.length * 2);
            } else {
                mostBytes = ring.length;
                mostOfStretch = mostBytes / 2;
                count = Math.max(0, Math.min(length, mostOfStretch - kept[last]));
            }
        }
        kept[last] += count;
        left[last] += length - count;
        written += count;
        return count;
    }

    /** Begins the last stretch. */
    private void open(int of) {
        int last = stretches - 1 & STRETCHES - 1;
        kind[last] = (byte) of;
        begin[last] = written;
        kept[last] = 0;
        left[last] = 0;
    }

    /** What makes text of a stretch, without secrets. */
    interface Words {
        String ofBytes(boolean sent, byte[] bytes);

        String ofNote(String note);
    }

    /**
     * Returns what was said as text: each line begins with {@code > } for what was sent, {@code < } for what came, {@code * }
     * for a remark.
     *
     * @param words makes lines of a stretch
     */
    String text(Words words) {
        byte[] bytes = ring;
        long end = written;
        int count = stretches;
        StringBuilder text = new StringBuilder();
        int first = Math.max(0, count - STRETCHES);
        while (first < count && begin[first & STRETCHES - 1] < end - bytes.length) {
            first++;
        }
        if (first > 0) {
            line("* ", "earlier content omitted", text);
        }
        for (int i = first; i < count; i++) {
            int place = i & STRETCHES - 1;
            int length = Math.max(0, Math.min(kept[place], bytes.length));
            byte[] of = new byte[length];
            for (int b = 0; b < length; b++) {
                of[b] = bytes[(int) (begin[place] + b & bytes.length - 1)];
            }
            int kindOf = kind[place];
            String said = kindOf == NOTE
                    ? words.ofNote(new String(of, StandardCharsets.UTF_8))
                    : words.ofBytes(kindOf == SENT, of);
            String mark = kindOf == NOTE ? "* " : kindOf == SENT ? "> " : "< ";
            said.lines().forEach(each -> line(mark, each, text));
            if (left[place] > 0) {
                line("* ", left[place] + " more bytes omitted", text);
            }
        }
        return text.toString();
    }

    private static void line(String mark, String words, StringBuilder text) {
        text.append(text.isEmpty() ? "" : "\n").append(mark).append(words);
    }
}
