package org.diperf.controller.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** What a process without memory says before it ends: made while there is some, because saying it must take none. */
final class OutOfMemoryNotice {

    private final OutputStream to;
    private final byte[] words;

    /**
     * @param to takes bytes as they are, without a buffer of its own
     * @param heapBytes most that the heap may have
     */
    OutOfMemoryNotice(OutputStream to, long heapBytes) {
        this.to = to;
        this.words = ("diperf: out of memory: the heap of " + (heapBytes >> 20)
                        + " MiB is full; increase it with java -Xmx. A run in progress can be resumed: diperf run "
                        + "--resume DIR; otherwise: diperf report DIR\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Says it. Allocates nothing. */
    void say() {
        try {
            to.write(words, 0, words.length);
        } catch (IOException e) {
            // There is nobody to be told.
        }
    }
}
