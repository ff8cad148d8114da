package org.diperf.controller.course;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.diperf.core.experiment.LoadSettings.Search;
import org.jspecify.annotations.Nullable;

/**
 * Which value a search tries next: twice the last from the low end on until one does not hold, then the geometric mean of
 * the highest that held and the lowest that did not until they are near enough. Then the lowest again, for longer, as it may have
 * broken by chance: where it holds the search goes on above it. Then the highest that held, for longer too; where that does not
 * hold it goes down by the precision, a few times. Confined to the run's thread.
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
        RECHECK("recheck"),
        CONFIRM("confirm");

        final String words;

        Purpose(String words) {
            this.words = words;
        }

        /** Returns whether the value is held for longer than others, as the answer rests on it. */
        boolean isForLonger() {
            return this == RECHECK || this == CONFIRM;
        }
    }

    private static final MathContext DIGITS = new MathContext(4);

    private final Search search;
    private final boolean whole;
    private Purpose purpose = Purpose.STEP_UP;
    private double value;
    private @Nullable Double held;
    /** All that did not hold, but for those that held when they were tried again. */
    private final NavigableSet<Double> broken = new TreeSet<>();

    private final Set<Double> rechecked = new HashSet<>();
    private @Nullable Double broke;
    private @Nullable Double found;
    private @Nullable Double limitedAt;
    private @Nullable Double undecidedAt;
    private boolean again;
    private int confirmations;
    private boolean over;

    SearchSteps(Search search) {
        this.search = search;
        this.whole = search.template().of().equals("clients");
        this.value = search.from();
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
        if (!told && verdict != Verdict.UNDECIDED && !again) {
            again = true;
            return null;
        }
        again = false;
        take(verdict);
        return told || verdict == Verdict.RECOVERING ? (Boolean) (verdict == Verdict.HOLDS) : null;
    }

    private void take(Verdict verdict) {
        if (verdict == Verdict.NOT_TOLD) {
            limitedAt = value;
            confirmOrEnd();
        } else if (verdict == Verdict.HOLDS) {
            holds();
        } else {
            undecidedAt = verdict == Verdict.UNDECIDED ? (Double) value : undecidedAt;
            breaks();
        }
    }

    private void holds() {
        if (purpose == Purpose.CONFIRM) {
            found = value;
            over = true;
            return;
        }
        held = value;
        if (purpose == Purpose.RECHECK) {
            broken.headSet(value, true).clear();
            broke = broken.isEmpty() ? null : broken.first();
            purpose = Purpose.STEP_UP;
        }
        if (broke != null) {
            bisect(value, broke);
        } else if (value >= search.to()) {
            confirmOrEnd();
        } else {
            value = Math.min(search.to(), value * 2);
        }
    }

    private void breaks() {
        broke = value;
        broken.add(value);
        if (purpose == Purpose.RECHECK) {
            confirmOrEnd();
            return;
        }
        if (purpose != Purpose.CONFIRM) {
            if (held == null) {
                over = true;
            } else {
                bisect(held, value);
            }
            return;
        }
        double lower = whole ? Math.min(value - 1, Math.floor(below())) : rounded(below());
        over = confirmations == Search.CONFIRMATIONS || lower < search.from();
        if (!over) {
            confirmations++;
            value = lower;
        }
    }

    private double below() {
        return value / (1 + search.precision());
    }

    private void bisect(double low, double high) {
        double middle = Math.sqrt(low * high);
        middle = whole ? Math.floor(middle) : rounded(middle);
        // With whole numbers the floor of the mean of neighbours is the lower one.
        middle = whole && middle <= low ? low + 1 : middle;
        if (high / low - 1 <= search.precision() || middle <= low || middle >= high) {
            recheckOrConfirm(high);
        } else {
            purpose = Purpose.BISECT;
            value = middle;
        }
    }

    private void recheckOrConfirm(double high) {
        if (rechecked.size() < Search.RECHECKS && rechecked.add(high)) {
            purpose = Purpose.RECHECK;
            value = high;
        } else {
            confirmOrEnd();
        }
    }

    private void confirmOrEnd() {
        if (held == null || purpose == Purpose.CONFIRM) {
            over = true;
            return;
        }
        purpose = Purpose.CONFIRM;
        confirmations = 1;
        value = held;
    }

    private static double rounded(double value) {
        return new BigDecimal(value).round(DIGITS).doubleValue();
    }

    /** Returns the highest value that was confirmed; {@code null}: none. */
    @Nullable
    Double found() {
        return found;
    }

    /** Returns the lowest value that did not hold; {@code null}: all did. */
    @Nullable
    Double failedAt() {
        return broke;
    }

    /** Says in a sentence what came of it. */
    String conclusion() {
        String of = search.template().of().equals("rate") ? "rate" : "number of clients";
        String limit = limitedAt == null ? "" : "; at " + words(limitedAt) + " the load generator was the limit";
        if (!over) {
            return "the search was cut short"
                    + (held == null
                            ? " before any value met the conditions"
                            : "; the highest value that met the conditions was " + words(held) + ", not confirmed");
        }
        if (found != null) {
            if (found >= search.to()) {
                return "all conditions hold over the whole range, up to " + words(found);
            }
            return "the highest " + of + " that meets all conditions is " + words(found)
                    + (broke == null
                            ? ""
                            : "; " + words(broke) + (isUndecided(broke) ? " may or may not" : " does not")
                                    + (held != null && held > broke ? ", although higher values did before" : ""))
                    + limit;
        }
        if (held == null) {
            return "not even the lowest value, " + words(search.from()) + ", "
                    + (isUndecided(search.from())
                            ? "certainly meets all conditions"
                            : limitedAt == null
                                    ? "meets all conditions"
                                    : "could be judged: the load generator was the limit");
        }
        return words(held) + " met them once, but neither it nor " + words(value) + " was confirmed over a longer "
                + "period"
                + limit;
    }

    /** Returns whether the range of a number held the limit when a value was last tried that did not hold. */
    private boolean isUndecided(double number) {
        return undecidedAt != null && undecidedAt == number;
    }

    private String words(double number) {
        return LoadText.value(search.template(), number);
    }
}
