package org.diperf.core.experiment;

/**
 * A data file and how its rows are given out.
 *
 * @param name by which texts name its columns: {@code users} in <code>${users.name}</code>
 * @param file path for the reader
 * @param give how rows are assigned
 * @param repeats whether to start again when all rows have been used
 */
public record DataSettings(String name, String file, Give give, boolean repeats) {

    /** To whom a row is given. */
    public enum Give {
        /** Client i has row i, for all its calls. */
        ONE_PER_CLIENT,
        /** Each call whose texts name the file has the next row of its tester's slice. */
        PER_CALL,
        /** Each call has a row that is a pure function of seed, client and call; rows are given any number of times. */
        RANDOM
    }
}
