package org.diperf.tester.engine.call;

/** Hears of rare things: a client that cannot be opened, stuck ones. Called from any thread; must not block long. */
@FunctionalInterface
public interface EngineListener {

    /** Takes one line for people. */
    void log(String line);
}
