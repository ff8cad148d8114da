package org.diperf.analyzer;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;

/**
 * Clients that call a simulated service, written into a run as their testers would have recorded them. Instants are milliseconds after
 * the start of the run.
 */
public final class SimulatedLoad {

    private static final double MILLI = 1e6;

    private final RunFixture run;
    private final SimulatedService service;
    private final Map<Integer, Double> lostAt = new HashMap<>();
    private int testers = 1;
    private int firstTester = 1;
    private int kinds = 1;
    private long bytes = 512;
    private double think;
    private double lag;
    private IntFunction<String> outcomes = call -> "ok";
    private int calls;

    public SimulatedLoad(RunFixture run, SimulatedService service) {
        this.run = run;
        this.service = service;
    }

    /** Spreads the clients to come over so many testers, in turns. */
    public SimulatedLoad testers(int first, int count) {
        firstTester = first;
        testers = count;
        return this;
    }

    /** Makes calls of so many kinds, in turns. */
    public SimulatedLoad kinds(int of) {
        kinds = of;
        return this;
    }

    /** Moves so many bytes with each call. */
    public SimulatedLoad bytes(long each) {
        bytes = each;
        return this;
    }

    /** Pauses between the end of a call and the next one of its client. */
    public SimulatedLoad think(double millis) {
        think = millis;
        return this;
    }

    /** Sends calls to come so late. */
    public SimulatedLoad lag(double millis) {
        lag = millis;
        return this;
    }

    /** Says what becomes of calls by their number, from 1. */
    public SimulatedLoad outcomes(IntFunction<String> of) {
        outcomes = of;
        return this;
    }

    /** Loses what a tester would have recorded from an instant on. */
    public SimulatedLoad lost(int tester, double at) {
        lostAt.put(tester, at);
        return this;
    }

    /** Runs clients that start one after another, each for its life; a call that began within it is waited for. */
    public SimulatedLoad closed(int stage, int firstClient, int clients, double from, double every, double each) {
        PriorityQueue<double[]> next = new PriorityQueue<>(Comparator.comparingDouble(due -> due[0]));
        for (int i = 0; i < clients; i++) {
            next.add(new double[] {from + i * every, i});
        }
        for (double[] due = next.poll(); due != null; due = next.poll()) {
            int client = (int) due[1];
            if (due[0] < from + client * every + each) {
                double end = call(stage, firstClient + client, due[0]);
                next.add(new double[] {end + think, client});
            }
        }
        return this;
    }

    /** Calls after each of these gaps until an instant, by up to so many clients; a call too many in flight is dropped. */
    public SimulatedLoad open(int stage, double from, double to, DoubleSupplier gaps, int most) {
        PriorityQueue<Double> inFlight = new PriorityQueue<>();
        int client = 0;
        for (double at = from + gaps.getAsDouble(); at < to; at += gaps.getAsDouble()) {
            while (!inFlight.isEmpty() && inFlight.peek() <= at) {
                inFlight.remove();
            }
            if (inFlight.size() < most) {
                inFlight.add(call(stage, client, at));
            } else {
                record(stage, client, at, at, at, "dropped");
            }
            client = (client + 1) % most;
        }
        return this;
    }

    private double call(int stage, int client, double intended) {
        double end = service.end(intended + lag);
        record(stage, client, intended, intended + lag, end, outcomes.apply(++calls));
        return end;
    }

    private void record(int stage, int client, double intended, double sent, double end, String outcome) {
        int tester = firstTester + client % testers;
        if (intended < lostAt.getOrDefault(tester, Double.MAX_VALUE)) {
            run.nanos(
                    tester,
                    stage,
                    client,
                    calls % kinds,
                    Math.round(intended * MILLI),
                    Math.round(sent * MILLI),
                    Math.round(end * MILLI),
                    outcome,
                    outcome.equals("ok") ? bytes : 0);
        }
    }
}
