package org.diperf.plugins.iperf;

/** What the control connection says in one signed byte: where a test is. Values as in iperf3. */
final class State {

    static final byte TEST_START = 1;
    static final byte TEST_RUNNING = 2;
    static final byte TEST_END = 4;
    static final byte PARAM_EXCHANGE = 9;
    static final byte CREATE_STREAMS = 10;
    static final byte SERVER_TERMINATE = 11;
    static final byte CLIENT_TERMINATE = 12;
    static final byte EXCHANGE_RESULTS = 13;
    static final byte DISPLAY_RESULTS = 14;
    static final byte IPERF_DONE = 16;
    static final byte ACCESS_DENIED = -1;
    /** Two numbers follow, of four bytes each: the program's and the system's. */
    static final byte SERVER_ERROR = -2;

    private State() {}
}
