package org.diperf.analyzer.result;

import java.util.List;
import java.util.Map;
import org.diperf.analyzer.result.ShownAnnex.AnnexNumber;
import org.diperf.core.spi.Annex.Fact;
import org.jspecify.annotations.Nullable;

/**
 * What an annex says, of which nothing is absent but what is not known.
 *
 * @param facts with their numbers filled in
 * @param numbers by name
 * @param tables by name, row by row: values by column
 * @param delayedBy what may have added to calls; {@code null}: nothing
 */
public record AnnexSummary(
        List<Fact> facts,
        Map<String, AnnexNumber> numbers,
        Map<String, List<Map<String, Object>>> tables,
        @Nullable String delayedBy) {}
