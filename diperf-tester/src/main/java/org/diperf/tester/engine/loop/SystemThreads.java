package org.diperf.tester.engine.loop;

import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;
import org.diperf.tester.machine.ThreadHeadroom;
import org.jspecify.annotations.Nullable;

/** Threads of the JVM for blocking clients: virtual ones where it has them (21 and later), small platform ones else. */
public final class SystemThreads implements ClientThreads {

    /** Address space; memory is taken as a stack grows, about 20 KiB for most clients. */
    private static final long STACK_BYTES = 256 * 1024;

    private static final @Nullable Method UNSTARTED = find("unstarted");
    private static final @Nullable Method OF_VIRTUAL = find("ofVirtual");

    public SystemThreads() {}

    private static @Nullable Method find(String name) {
        try {
            return name.equals("ofVirtual")
                    ? Thread.class.getMethod("ofVirtual")
                    : Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    public static boolean areVirtual() {
        return OF_VIRTUAL != null && UNSTARTED != null;
    }

    /**
     * Refuses more clients than the system has threads for, which would else show in the middle of the start.
     *
     * @throws IllegalStateException saying what is possible
     */
    public static void check(int clients) {
        if (!areVirtual()) {
            check(clients, ThreadHeadroom.ofThisProcess());
        }
    }

    public static void check(int clients, ThreadHeadroom room) {
        if (clients > room.threads()) {
            throw new IllegalStateException("This tester needs " + clients
                    + " threads for blocking clients; got " + room.threads() + ", because of "
                    + room.limit() + ". Raise that limit, or use more machines, Java 21 or later (found "
                    + Runtime.version().feature() + "), or an asynchronous client");
        }
    }

    @Override
    public Thread start(String name, Runnable task) {
        Thread thread = make(name, task);
        thread.start();
        return thread;
    }

    @Override
    public void park(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    @Override
    public void wake(Thread thread) {
        LockSupport.unpark(thread);
    }

    @Override
    public void interrupt(Thread thread) {
        thread.interrupt();
    }

    private static Thread make(String name, Runnable task) {
        if (OF_VIRTUAL != null && UNSTARTED != null) {
            try {
                Thread thread = (Thread) UNSTARTED.invoke(OF_VIRTUAL.invoke(null), task);
                thread.setName(name);
                return thread;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Java " + Runtime.version() + " cannot create a virtual thread", e);
            }
        }
        Thread thread = new Thread(null, task, name, STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }
}
