package org.diperf.controller.progress;

import org.diperf.core.experiment.Secrets;

/** Passes on how a run goes, without the values of its secrets. */
public record MaskedProgress(Progress progress, Secrets secrets) implements Progress {

    @Override
    public void phase(String text) {
        progress.phase(secrets.masked(text));
    }

    @Override
    public void live(LiveStatus status) {
        progress.live(status);
    }

    @Override
    public void log(String line) {
        progress.log(secrets.masked(line));
    }
}
