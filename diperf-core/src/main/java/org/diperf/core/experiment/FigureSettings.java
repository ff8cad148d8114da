package org.diperf.core.experiment;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A figure that the experiment asks for.
 *
 * @param left names of series drawn against the left axes
 * @param right names of series drawn against the right axes
 * @param title its title; {@code null}: derived from what it shows
 */
public record FigureSettings(
        List<String> left, List<String> right, @Nullable String title) {
    public FigureSettings {
        left = List.copyOf(left);
        right = List.copyOf(right);
    }
}
