package org.diperf.plugins.lib.process;

import com.sun.jna.Memory;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Native memory for one program at a time, used again for the next. Not thread-safe. */
final class ScratchMemory {

    static final int BUFFER_BYTES = 16 << 10;

    private static final int ACTIONS_AT = 64;
    private static final int BUFFER_AT = ACTIONS_AT + LibC.ACTIONS_BYTES;
    private static final int USAGE_AT = BUFFER_AT + BUFFER_BYTES;
    // struct rusage, with numbers of eight bytes.
    private static final int USAGE_BYTES = 144;
    private static final int SWITCHES_AT = 128;
    private static final int TIMES_AT = USAGE_AT + USAGE_BYTES;
    private static final int NUMBER_AT = 32;
    private static final int ENDS_AT = 40;
    private static final int POLLFD_BYTES = 8;
    private static final int FIRST_WORDS_BYTES = 4096;

    private final Memory memory = new Memory(TIMES_AT + TaskTimes.BYTES);
    private final long address = address(memory);
    private Memory words = new Memory(FIRST_WORDS_BYTES);
    final byte[] bytes = new byte[BUFFER_BYTES];

    static long address(Memory memory) {
        return com.sun.jna.Pointer.nativeValue(memory);
    }

    /** Room for a number that a call gives back. */
    long number() {
        return address + NUMBER_AT;
    }

    int givenNumber() {
        return memory.getInt(NUMBER_AT);
    }

    /** Room for file actions. */
    long actions() {
        return address + ACTIONS_AT;
    }

    long buffer() {
        return address + BUFFER_AT;
    }

    /** Room for what a program and the children that it waited for have used. */
    long usage() {
        return address + USAGE_AT;
    }

    /** Returns for how long all of them were on a processor, ns. */
    long usedNanos() {
        long nanos = 0;
        for (int of = USAGE_AT; of < USAGE_AT + 32; of += 16) {
            nanos += memory.getLong(of) * 1_000_000_000L + memory.getLong(of + 8L) * 1_000L;
        }
        return nanos;
    }

    /** Returns how often one of them left a processor. */
    long switches() {
        return memory.getLong(USAGE_AT + SWITCHES_AT) + memory.getLong(USAGE_AT + SWITCHES_AT + 8L);
    }

    /** Opens what Linux says of a program's first thread. */
    TaskTimes times(int pid) {
        return TaskTimes.open("/proc/" + pid + "/schedstat", memory, TIMES_AT);
    }

    /** Room for the two ends of a pipe. */
    long ends() {
        return address + ENDS_AT;
    }

    int end(int which) {
        return memory.getInt(ENDS_AT + (long) which * Integer.BYTES);
    }

    /** Copies from the native buffer into {@link #bytes}. */
    void take(int count) {
        memory.read(BUFFER_AT, bytes, 0, count);
    }

    /** Copies into the native buffer. */
    void put(byte[] from, int offset, int count) {
        memory.write(BUFFER_AT, from, offset, count);
    }

    /** The address of the first argument, the program itself, after {@link #lay}. */
    long file() {
        return words.getLong(0);
    }

    /** Room for the descriptors of {@code poll}. */
    long descriptors() {
        return address;
    }

    void describe(int place, int fd, short events) {
        memory.setLong((long) place * POLLFD_BYTES, (fd & 0xffff_ffffL) | (long) events << 32);
    }

    boolean happened(int place) {
        return memory.getShort((long) place * POLLFD_BYTES + 6) != 0;
    }

    /**
     * Lays down arguments and environment as C wants them.
     *
     * @param inherited addresses of variables that stay as they are
     * @param added variables as {@code NAME=value}
     * @return the address of the arguments' array; that of the environment is as many words plus one behind it
     */
    long lay(List<String> command, long[] inherited, List<String> added) {
        int count = command.size();
        byte[][] texts = new byte[count + added.size()][];
        int length = 0;
        for (int i = 0; i < texts.length; i++) {
            String text = i < count ? command.get(i) : added.get(i - count);
            texts[i] = text.getBytes(StandardCharsets.UTF_8);
            length += texts[i].length + 1;
        }
        long[] pointers = new long[texts.length + inherited.length + 2];
        int textsAt = pointers.length * Long.BYTES;
        if (words.size() < textsAt + length) {
            words.close();
            words = new Memory(2L * (textsAt + length));
        }
        byte[] all = new byte[length];
        int at = 0;
        for (int i = 0; i < texts.length; i++) {
            pointers[i < count ? i : i + 1] = address(words) + textsAt + at;
            System.arraycopy(texts[i], 0, all, at, texts[i].length);
            at += texts[i].length + 1;
        }
        System.arraycopy(inherited, 0, pointers, texts.length + 1, inherited.length);
        words.write(0, pointers, 0, pointers.length);
        words.write(textsAt, all, 0, length);
        return address(words);
    }

    void free() {
        memory.close();
        words.close();
    }
}
