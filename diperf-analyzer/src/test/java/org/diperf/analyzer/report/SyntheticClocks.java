package org.diperf.analyzer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.diperf.analyzer.result.Clocks;
import org.diperf.core.clock.ClockEvent;

/** Clocks to be drawn: quiet, slewed, stepped, and behind a long path. */
final class SyntheticClocks {

    private static final int SECTIONS = 600;
    private static final double LENGTH = 428;

    private SyntheticClocks() {}

    static Clocks four() {
        List<Clocks.Track> tracks = new ArrayList<>();
        for (int tester = 1; tester <= 4; tester++) {
            tracks.add(track(tester));
        }
        return new Clocks(
                tracks,
                List.of(
                        new Clocks.Note(2, ClockEvent.Kind.SLEW, 150, 250, 20),
                        new Clocks.Note(3, ClockEvent.Kind.STEP, 203, 208, 3e9),
                        new Clocks.Note(4, ClockEvent.Kind.ROUTE_CHANGE, 300, 305, 2e7)));
    }

    private static Clocks.Track track(int tester) {
        SplittableRandom random = new SplittableRandom(tester);
        double half = tester == 4 ? 40_000 : 60;
        double[] seconds = new double[SECTIONS];
        double[] estimate = new double[SECTIONS];
        double[] lower = new double[SECTIONS];
        double[] upper = new double[SECTIONS];
        double[] dotSeconds = new double[8 * 86];
        double[] dotLower = new double[dotSeconds.length];
        double[] dotUpper = new double[dotSeconds.length];
        for (int i = 0; i < SECTIONS; i++) {
            seconds[i] = LENGTH * i / SECTIONS;
            estimate[i] = tester == 2 ? 20 * Math.max(0, Math.min(100, seconds[i] - 150)) : 3 * Math.sin(i / 60.0);
            double gap = tester == 3 && seconds[i] > 203 && seconds[i] < 208 ? 3e6 : 0;
            double drift = 25 * Math.min(seconds[i] % 5, 5 - seconds[i] % 5);
            lower[i] = estimate[i] - half - drift;
            upper[i] = estimate[i] + half + drift + gap;
        }
        for (int i = 0; i < dotSeconds.length; i++) {
            dotSeconds[i] = i / 8 * 5 + i % 8 * 0.02;
            int at = (int) Math.min(SECTIONS - 1, dotSeconds[i] * SECTIONS / LENGTH);
            dotLower[i] = estimate[at] - half - random.nextDouble() * half / 2;
            dotUpper[i] = estimate[at] + half + random.nextDouble() * half / 2;
        }
        return new Clocks.Track(
                tester,
                "node-" + tester,
                seconds,
                estimate,
                lower,
                upper,
                new Clocks.Dots(dotSeconds, dotLower, dotUpper),
                new Clocks.Dots(new double[0], new double[0], new double[0]));
    }
}
