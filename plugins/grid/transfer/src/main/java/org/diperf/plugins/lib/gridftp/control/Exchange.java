package org.diperf.plugins.lib.gridftp.control;

/** Takes the replies to one command, on the event loop of its channel. */
public interface Exchange {

    /** Takes a reply after which another one follows. */
    default void preliminary(Reply reply) {}

    /** Takes the last reply. Not called when the connection is lost before. */
    void completed(Reply reply);
}
