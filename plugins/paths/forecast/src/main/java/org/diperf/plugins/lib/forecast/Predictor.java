package org.diperf.plugins.lib.forecast;

/**
 * One primary predictor: forecasts the next value of a series from those so far, in bounded memory. Confined to its battery's
 * owner.
 */
abstract class Predictor {

    private final String name;

    private Predictor(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Takes the next value of the series. */
    abstract void take(double value);

    /** Returns its forecast; {@link Double#NaN} when it has none yet. */
    abstract double forecast();

    /** The value before. */
    static Predictor lastValue() {
        return new Predictor("Last Value") {
            private double last = Double.NaN;

            @Override
            void take(double value) {
                last = value;
            }

            @Override
            double forecast() {
                return last;
            }
        };
    }

    /** The mean of all. */
    static Predictor runningMean() {
        return new Predictor("Running Mean") {
            private double total;
            private double count;

            @Override
            void take(double value) {
                total += value;
                count++;
            }

            @Override
            double forecast() {
                return count == 0 ? Double.NaN : total / count;
            }
        };
    }

    /**
     * Exponential smoothing: the forecast moves towards each value by a share of the difference.
     *
     * @param gain that share
     * @param beforeAny what it forecasts before any value; NWS has 0 there, and counts the error
     */
    static Predictor smoothing(double gain, double beforeAny) {
        return new Predictor(Math.round(gain * 100) + "% Exp Smooth") {
            private double forecast = beforeAny;
            private boolean any;

            @Override
            void take(double value) {
                forecast = any ? forecast + gain * (value - forecast) : value;
                any = true;
            }

            @Override
            double forecast() {
                return forecast;
            }
        };
    }

    /** The median of the last {@code window} values. */
    static Predictor median(int window) {
        return new Predictor("Median Window " + window) {
            private final SortedWindow values = new SortedWindow(window);

            @Override
            void take(double value) {
                values.take(value);
            }

            @Override
            double forecast() {
                return values.isEmpty() ? Double.NaN : values.median();
            }
        };
    }

    /**
     * The mean of the last {@code window} values without the least and the greatest.
     *
     * @param trim share of them left out at each side
     */
    static Predictor trimmedMean(int window, double trim) {
        String what = trim == 0 ? "Sliding Mean" : Math.round(trim * 100) + "% Trimmed Mean";
        return new Predictor(what + " Window " + window) {
            private final SortedWindow values = new SortedWindow(window);

            @Override
            void take(double value) {
                values.take(value);
            }

            @Override
            double forecast() {
                return values.isEmpty() ? Double.NaN : values.trimmedMean(trim);
            }
        };
    }

    /** How an adaptive median looks for a better window. */
    enum Adapting {
        /** As NWS's source has it: neighbours are windows of the size of the step itself, and nothing keeps the window in its range. */
        AS_PUBLISHED,
        /** Neighbours are the window less and plus the step, and it stays in its range. */
        AS_MEANT
    }

    /**
     * The median of a window that grows or shrinks by one when a larger or smaller one would have been nearer to the value that
     * came.
     *
     * @param first window
     * @param least of it
     * @param most of it; nothing is adapted before there are so many values
     * @param step to the windows it is compared with
     */
    static Predictor adaptiveMedian(int first, int least, int most, int step, Adapting adapting) {
        return new Predictor("Adaptive Median Window " + least + "-" + most) {
            private final SortedWindow values = new SortedWindow(most);
            private int window = first;

            @Override
            void take(double value) {
                values.take(value);
                int here = Math.min(window, values.count());
                if (values.count() < most) {
                    return;
                }
                boolean published = adapting == Adapting.AS_PUBLISHED;
                double same = values.medianOfLatest(here);
                double less = values.medianOfLatest(published ? smaller(here) : Math.max(least, here - step));
                double more = values.medianOfLatest(published ? larger(here) : Math.min(most, here + step));
                int next = here + direction(square(value - less), square(value - same), square(value - more));
                window = published ? next : Math.max(least, Math.min(most, next));
            }

            private int smaller(int here) {
                return here - step < 0 ? here - 1 : step;
            }

            private int larger(int here) {
                return here + step > values.count() ? values.count() - here - 1 : step;
            }

            @Override
            double forecast() {
                if (values.isEmpty()) {
                    return Double.NaN;
                }
                return values.medianOfLatest(values.count() < most ? values.count() : window);
            }
        };
    }

    private static double square(double error) {
        return error * error;
    }

    /** Says where the window goes, by the errors of a smaller, the same and a larger one; ties leave it as it is. */
    private static int direction(double less, double same, double more) {
        if (less < same && less < more) {
            return -1;
        }
        if (more < same && more < less) {
            return 1;
        }
        if (less < same && more < same) {
            return less < more ? -1 : 1;
        }
        return 0;
    }
}
