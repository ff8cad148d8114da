package org.diperf.controller.calibrate;

import java.util.List;
import org.diperf.controller.calibrate.Calibration.FullSpeed;
import org.diperf.controller.calibrate.Calibration.Idle;
import org.diperf.controller.calibrate.Calibration.Open;
import org.diperf.controller.calibrate.Calibration.Others;
import org.diperf.controller.calibrate.Calibration.Spread;
import org.diperf.controller.calibrate.Calibration.TooMany;
import org.jspecify.annotations.Nullable;

/** Calibrations whose numbers are known. */
public final class MadeCalibration {

    /** On which they are said to have been made. */
    public static final Machine MACHINE = new Machine("node-7", "Fast 3000", 8, "Linux 6.1 amd64", "OpenJDK 17.0.15");

    /** That is said to have made them. */
    public static final String VERSION = "0.1.0";

    private MadeCalibration() {}

    /** Makes one of a quiet machine. */
    public static Calibration quiet() {
        return of(MACHINE, 0, new Others(1.5, 0.25));
    }

    /** Makes one of a machine that sent two thirds of a half of what it can at most, but not half of it. */
    public static Calibration less() {
        return of(MACHINE, null, new Open(13_667, 13_667, 0, 31.0, null, null, List.of(new TooMany(20_500, 4))));
    }

    private static Open open(double droppedPercent) {
        return new Open(
                20_500, 20_500, droppedPercent, 31.0, new Spread(0.012, 0.31), new Spread(0.004, 0.033), List.of());
    }

    /** Makes one. */
    public static Calibration of(Machine machine, double droppedPercent, @Nullable Others others) {
        return of(machine, others, open(droppedPercent));
    }

    private static Calibration of(Machine machine, @Nullable Others others, Open open) {
        return new Calibration(
                Calibration.FORMAT,
                "http",
                "2026-11-20T08:00:00Z",
                VERSION,
                machine,
                new FullSpeed(41_000.5, 64, 7.5, 20.25),
                open,
                new Idle(1.25, 0.5),
                others);
    }

    /** Makes one on a system that tells nothing. */
    public static Calibration bare() {
        return new Calibration(
                Calibration.FORMAT,
                "http",
                "2026-11-20T08:00:00Z",
                VERSION,
                new Machine("node-7", "", 8, "Other 1", "JVM"),
                new FullSpeed(41_000, 64, null, null),
                new Open(20_500, 20_500, 0, null, null, null, List.of()),
                new Idle(null, null),
                null);
    }
}
