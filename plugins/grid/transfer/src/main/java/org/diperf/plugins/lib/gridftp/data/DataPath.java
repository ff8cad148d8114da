package org.diperf.plugins.lib.gridftp.data;

/** How the data of a session's transfers goes. Confined to the session's event loop. */
interface DataPath {

    /** Begins a transfer; earlier ones may be under way where the session takes several. */
    void begin(Transfer transfer);

    /** Lets go of what a transfer that has ended, well or not, still holds. */
    void ended(Transfer transfer);

    /** Closes the data channels. */
    void close();
}
