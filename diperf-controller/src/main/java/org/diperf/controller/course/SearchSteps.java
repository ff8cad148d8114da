package org.diperf.controller.course;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.diperf.core.experiment.LoadSettings.Search;
import org.jspecify.annotations.Nullable;

/**
 * Which value a search tries next: twice the highest that held until one does not hold; then a few times where the limit lies as
 * likely above as below, by all that was tried; then by turns a little below and above, which tells best how far probes scatter. It ends
 * when the interval that holds the limit with a probability of 95 % is as narrow as the precision, or after as many probes as a search may
 * make. Nothing is tried beyond twice the highest that held. Confined to the run's thread.
 */
final class SearchSteps {

    /** What became of a value. */
    enum Verdict {
        HOLDS,
        BREAKS,
        /** The service still worked off what came before: to be tried again, and then it breaks. */
        RECOVERING,
        /** The range of a number holds the limit: it does not hold for sure, so the search goes on below. */
        UNDECIDED,
        /** The generator was the limit. */
        NOT_TOLD
    }

    /** What a value is tried for. */
    enum Purpose {
        STEP_UP("step up"),
        BISECT("bisect"),
        /** It is not between what held and what broke. */
        RECHECK("recheck");

        final String words;

        Purpose(String words) {
            this.words = words;
        }
    }

    private static final MathContext DIGITS = new MathContext(4);
    private static final double TAIL = 0.025;
    private static final int BISECTIONS = 5;
    private static final double BELOW = 0.15;

    private final Search search;
    private final boolean whole;
    private final NavigableSet<Double> held = new TreeSet<>();
    private final NavigableSet<Double> broken = new TreeSet<>();
    private final NavigableSet<Double> undecided = new TreeSet<>();
    /** Takes what is undecided for broken. */
    private final LimitEstimate least;

    /** Takes what is undecided for held. */
    private final LimitEstimate most;

    private Purpose purpose = Purpose.STEP_UP;
    private double value;
    private int near;
    private @Nullable Double limitedAt;
    private boolean again;
    private boolean over;

    SearchSteps(Search search) {
        this.search = search;
        this.whole = search.template().of().equals("clients");
        this.value = search.from();
        this.least = new LimitEstimate(search.from(), search.to());
        this.most = new LimitEstimate(search.from(), search.to());
    }

    /** Returns the value to try now. */
    double value() {
        return value;
    }

    Purpose purpose() {
        return purpose;
    }

    boolean isOver() {
        return over;
    }

    /** Takes what became of the value; says whether it held, {@code null} where that could not be told. */
    @Nullable
    Boolean judged(Verdict verdict) {
        boolean told = verdict == Verdict.HOLDS || verdict == Verdict.BREAKS;
        near += near > 0 || verdict != Verdict.HOLDS ? 1 : 0;
        if (!told && verdict != Verdict.UNDECIDED && !again) {
            again = true;
            return null;
        }
        again = false;
        if (verdict == Verdict.NOT_TOLD) {
            limitedAt = value;
        } else {
            least.add(value, verdict == Verdict.HOLDS);
            most.add(value, verdict == Verdict.HOLDS || verdict == Verdict.UNDECIDED);
            (verdict == Verdict.HOLDS ? held : verdict == Verdict.UNDECIDED ? undecided : broken).add(value);
        }
        next(verdict == Verdict.HOLDS);
        return told || verdict == Verdict.RECOVERING ? (Boolean) (verdict == Verdict.HOLDS) : null;
    }

    private void next(boolean holds) {
        if (held.isEmpty()) {
            over = true;
            return;
        }
        boolean isTop = holds && value >= search.to() && purpose == Purpose.RECHECK && least.isOpen();
        double at = near <= BISECTIONS ? 0.5 : near % 2 == 0 ? BELOW : 1 - BELOW;
        double likely = near == 0 ? search.to() : Math.min(search.to(), least.quantile(at));
        double next = Math.max(search.from(), Math.min(2 * held.last(), likely));
        next = whole ? Math.rint(next) : new BigDecimal(next).round(DIGITS).doubleValue();
        over = isTop || near > Search.NEAR || limitedAt != null && next >= limitedAt || isNarrow();
        boolean isBetween = next > held.last() && (broken.isEmpty() || next < broken.first());
        purpose = !isBetween
                ? Purpose.RECHECK
                : broken.isEmpty() && undecided.isEmpty() ? Purpose.STEP_UP : Purpose.BISECT;
        value = over ? value : next;
    }

    private boolean isNarrow() {
        double low = least.quantile(TAIL);
        double high = least.quantile(1 - TAIL);
        return !least.isOpen()
                && (high / low - 1 <= search.precision() || whole && Math.floor(high) == Math.floor(low));
    }

    /** Returns the highest value that held and at which the limit may well lie; {@code null}: none, or the search is not over. */
    @Nullable
    Double found() {
        return over ? held.floor(least.quantile(0.5)) : null;
    }

    /** Returns the lower end of the interval of the limit; {@code null}: nothing was found. */
    @Nullable
    Double low() {
        Double found = found();
        return found == null ? null : (Double) Math.min(found, shown(least.quantile(TAIL)));
    }

    /** Returns the upper end of the interval of the limit; {@code null}: nothing was found, or nothing broke. */
    @Nullable
    Double high() {
        return found() == null || most.isOpen() ? null : (Double) shown(most.quantile(1 - TAIL));
    }

    /** Returns the lowest value above what was found that did not hold; {@code null}: all did. */
    @Nullable
    Double failedAt() {
        NavigableSet<Double> all = new TreeSet<>(broken);
        all.addAll(undecided);
        Double found = found();
        return all.isEmpty() ? null : found == null ? all.first() : all.higher(found);
    }

    /** Says in a sentence what came of it. */
    String conclusion() {
        String limit = limitedAt == null ? "" : "; at " + words(limitedAt) + " the load generator was the limit";
        if (!over) {
            return "the search was cut short"
                    + (held.isEmpty()
                            ? " before any value met the conditions"
                            : "; the highest value that met the conditions was " + words(held.last()));
        }
        Double found = found();
        if (found == null) {
            return "not even the lowest value, " + words(search.from()) + ", "
                    + (undecided.contains(search.from())
                            ? "certainly meets all conditions"
                            : limitedAt == null
                                    ? "meets all conditions"
                                    : "could be judged: the load generator was the limit");
        }
        Double low = low();
        Double high = high();
        Double failedAt = failedAt();
        if (found >= search.to() && failedAt == null) {
            return "all conditions hold over the whole range, up to " + words(found);
        }
        return "the highest " + (whole ? "number of clients" : "rate") + " that meets all conditions is " + words(found)
                + (low == null || high == null ? "" : " (" + words(low) + " to " + words(high) + ")")
                + (high == null && failedAt != null ? "; " + words(failedAt) + " may or may not" : "")
                + limit;
    }

    private double shown(double number) {
        return whole ? Math.floor(number) : new BigDecimal(number).round(DIGITS).doubleValue();
    }

    private String words(double number) {
        return LoadText.value(search.template(), number);
    }
}
