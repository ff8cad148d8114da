package org.diperf.controller.page;

import org.jspecify.annotations.Nullable;

/**
 * A stream of Server-Sent Events that all its viewers share: each text is made once. Called on the server's event loop alone, so it
 * must be quick.
 */
interface EventStream {

    /** Returns the event that tells a new viewer everything, with its line breaks. */
    String whole();

    /** Returns the event that tells those who know what was told before what is new; {@code null}: nothing is. Called once a second. */
    @Nullable
    String change();
}
