package org.diperf.plugins.gridftp.managed;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of one kind, large or small, that wait, and how they are moved. Confined to the job's event loop. */
final class JobQueue {

    private final Deque<JobFile> waiting;
    private final int streams;
    private final int ahead;

    /**
     * @param streams of each file
     * @param ahead files asked for at once in a session
     */
    JobQueue(List<JobFile> files, int streams, int ahead) {
        this.waiting = new ArrayDeque<>(files);
        this.streams = streams;
        this.ahead = ahead;
    }

    int streams() {
        return streams;
    }

    int ahead() {
        return ahead;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    @Nullable
    JobFile next() {
        return waiting.poll();
    }

    /** Puts a file first. */
    void again(JobFile file) {
        waiting.addFirst(file);
    }
}
