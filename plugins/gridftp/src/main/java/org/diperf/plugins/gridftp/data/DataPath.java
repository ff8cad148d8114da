package org.diperf.plugins.gridftp;

/** How the data of a lane's transfers goes. Confined to the lane's event loop. */
interface DataPath {

    /** Begins a transfer; earlier ones may be under way where the lane takes several. */
    void begin(Transfer transfer);

    /** Lets go of what a transfer that has ended, well or not, still holds. */
    void ended(Transfer transfer);

    /** Closes the data channels. */
    void close();
}
