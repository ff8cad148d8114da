package org.diperf.controller.cli;

import java.util.List;
import org.diperf.controller.experiment.TheirWords;
import org.diperf.core.spi.NearestName;
import org.jspecify.annotations.Nullable;

/** Hints at our options for those of other load testers. */
final class OptionHints {

    private OptionHints() {}

    /**
     * Says what an unknown option is called here.
     *
     * @param option as it was written, without a value after {@code =}
     * @return such as {@code clients are --clients N}; {@code null}: it is nobody's word that we know
     */
    static @Nullable String hint(String option) {
        TheirWords meant = TheirWords.byWord().get(option);
        if (meant == null && option.matches("-[A-Za-z].+")) {
            meant = TheirWords.byWord().get(option.substring(0, 2));
        }
        return meant == null ? null : meant.option();
    }

    /** Says the same of an option that is misspelt; {@code null}: none of theirs is near it. */
    static @Nullable String hintOfNearest(String option) {
        List<String> words = TheirWords.byWord().keySet().stream()
                .filter(word -> word.startsWith("--"))
                .toList();
        return NearestName.of(option, words).map(OptionHints::hint).orElse(null);
    }
}
