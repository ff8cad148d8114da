package org.diperf.core.sample;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of columns: all that a block may hold, by kind and number. A number is given once and never means something
 * else. Of calls, those up to {@link #FIRST} are in every block; later ones are optional, and a reader names those that it wants.
 */
public enum SampleColumn {
    /** Stage of the plan, from 0. */
    STAGE(Block.CALLS, 1, Type.INTEGER, Coding.VALUES),
    /** Client in the whole run, from 0. */
    CLIENT(Block.CALLS, 2, Type.INTEGER, Coding.VALUES),
    /** Kind of request, from 0. */
    REQUEST(Block.CALLS, 3, Type.INTEGER, Coding.VALUES),
    /** Target in the experiment's list, from 0. */
    TARGET(Block.CALLS, 4, Type.INTEGER, Coding.VALUES),
    /** When the plan wanted the call sent, on the tester's clock. */
    INTENDED(Block.CALLS, 5, Type.INTEGER, Coding.INSTANTS),
    /** Time from the intended start until the call was sent, ns. */
    LAG(Block.CALLS, 6, Type.INTEGER, Coding.VALUES),
    /** Response time: from the intended start until the call ended, ns. */
    LATENCY(Block.CALLS, 7, Type.INTEGER, Coding.VALUES),
    /** How the call ended, see {@link Outcome}. */
    OUTCOME(Block.CALLS, 8, Type.WORD, Coding.VALUES),
    /** Bytes moved. */
    BYTES(Block.CALLS, 9, Type.INTEGER, Coding.VALUES),
    /** Whether the call was the first on its connection, 1 or 0. */
    FIRST(Block.CALLS, 10, Type.INTEGER, Coding.VALUES),
    /** Number of the call among those of its client, from 0. */
    CALL(Block.CALLS, 11, Type.INTEGER, Coding.OF_CLIENT),
    /** Number of the client's iteration that the call belongs to, from 0. */
    ITERATION(Block.CALLS, 12, Type.INTEGER, Coding.OF_CLIENT),
    /** Upper bound on how long before the recorded end the answer had come in, ns. */
    ERROR_IN(Block.CALLS, 13, Type.INTEGER, Coding.VALUES),
    /** Upper bound on how long after the recorded sending the request went out, ns. */
    ERROR_OUT(Block.CALLS, 14, Type.INTEGER, Coding.VALUES),
    /** First of the plugin's own metrics; the others of its list have the numbers behind, at most 100 in all. */
    METRIC(Block.CALLS, 64, Type.DECIMAL, Coding.VALUES),

    /** Name of the observed metric. */
    OBSERVED_METRIC(Block.OBSERVATIONS, 1, Type.WORD, Coding.VALUES),
    /** When it held, on the tester's clock. */
    OBSERVED_TIME(Block.OBSERVATIONS, 2, Type.INTEGER, Coding.INSTANTS),
    /** The value, in the metric's unit. */
    OBSERVED_VALUE(Block.OBSERVATIONS, 3, Type.DECIMAL, Coding.VALUES),
    /** The client's number plus 1; 0: of none. */
    OBSERVED_CLIENT(Block.OBSERVATIONS, 4, Type.INTEGER, Coding.VALUES),
    /** The number of the client's call plus 1; 0: of none. */
    OBSERVED_CALL(Block.OBSERVATIONS, 5, Type.INTEGER, Coding.VALUES),

    /** When the call was recorded as ended, on the tester's clock. */
    EXCHANGE_END(Block.EXCHANGES, 1, Type.INTEGER, Coding.INSTANTS),
    /** How it ended, see {@link Outcome}. */
    EXCHANGE_OUTCOME(Block.EXCHANGES, 2, Type.WORD, Coding.VALUES),
    /** Its client in the whole run, from 0. */
    EXCHANGE_CLIENT(Block.EXCHANGES, 3, Type.INTEGER, Coding.VALUES),
    /** Its number among the calls of its client, from 0. */
    EXCHANGE_CALL(Block.EXCHANGES, 4, Type.INTEGER, Coding.VALUES),
    /** Its kind of request, from 0. */
    EXCHANGE_REQUEST(Block.EXCHANGES, 5, Type.INTEGER, Coding.VALUES),
    /** Its target in the experiment's list, from 0. */
    EXCHANGE_TARGET(Block.EXCHANGES, 6, Type.INTEGER, Coding.VALUES),
    /** Response time: from the intended start until the call ended, ns. */
    EXCHANGE_LATENCY(Block.EXCHANGES, 7, Type.INTEGER, Coding.VALUES),
    /** How many calls of its kind (one outcome; for ok: the slowest) the experiment wants shown. */
    EXCHANGE_WANTED(Block.EXCHANGES, 8, Type.INTEGER, Coding.VALUES),
    /** What was said, see {@link CallExchange}. */
    EXCHANGE_TEXT(Block.EXCHANGES, 9, Type.WORD, Coding.VALUES),

    /** The client of the event's call in the whole run, from 0. */
    EVENT_CLIENT(Block.EVENTS, 1, Type.INTEGER, Coding.VALUES),
    /** The number of the call among those of its client, from 0. */
    EVENT_CALL(Block.EVENTS, 2, Type.INTEGER, Coding.VALUES),
    /** Its stage of the plan, from 0. */
    EVENT_STAGE(Block.EVENTS, 3, Type.INTEGER, Coding.VALUES),
    /** Its kind of request, from 0. */
    EVENT_REQUEST(Block.EVENTS, 4, Type.INTEGER, Coding.VALUES),
    /** Its target in the experiment's list, from 0. */
    EVENT_TARGET(Block.EVENTS, 5, Type.INTEGER, Coding.VALUES),
    /** Where the first gap of these consecutive events of the call begins, on the tester's clock. */
    EVENT_ORIGIN(Block.EVENTS, 6, Type.INTEGER, Coding.VALUES),
    /** Whether the call had events before these, 1 or 0: the origin is then the last of them, else the intended start. */
    EVENT_CONTINUES(Block.EVENTS, 7, Type.INTEGER, Coding.VALUES),
    /** Time since the event before, microseconds. */
    EVENT_GAP(Block.EVENTS, 8, Type.INTEGER, Coding.VALUES),
    /** Its kind, in the order of the plugin's list. */
    EVENT_KIND(Block.EVENTS, 9, Type.INTEGER, Coding.VALUES),
    /** How many units it carries. */
    EVENT_COUNT(Block.EVENTS, 10, Type.INTEGER, Coding.VALUES),
    /** Upper bound on how long before the recorded instant the event had come in, ns. */
    EVENT_ERROR_IN(Block.EVENTS, 11, Type.INTEGER, Coding.VALUES);

    /** Metrics that the calls of a block may have. */
    static final int MAX_METRICS = 100;

    private final int kind;
    private final int id;
    private final Type type;
    private final Coding coding;

    /** What a column holds. */
    enum Type {
        INTEGER(Block.TYPE_INTEGER),
        DECIMAL(Block.TYPE_DECIMAL),
        WORD(Block.TYPE_WORD);

        private final int id;

        Type(int id) {
            this.id = id;
        }

        /** Returns its number in the table of columns. */
        int id() {
            return id;
        }
    }

    /** What the integers of a column stand for, before their codec packs them. */
    enum Coding {
        /** The values themselves. */
        VALUES,
        /** Instants, as distances from what the rows before let expect: {@link StartCodec}. */
        INSTANTS,
        /** Differences to the same client's row before in the block: {@link ClientCodec}. */
        OF_CLIENT
    }

    SampleColumn(int kind, int id, Type type, Coding coding) {
        this.kind = kind;
        this.id = id;
        this.type = type;
        this.coding = coding;
    }

    /** Finds a column; {@code null}: the number is of a later version, or a metric's behind the first. */
    static @Nullable SampleColumn of(int kind, int id) {
        for (SampleColumn column : values()) {
            if (column.kind == kind && column.id == id) {
                return column;
            }
        }
        return null;
    }

    /** Returns the kind of block that has it, {@link Block#CALLS}, {@link Block#OBSERVATIONS}, {@link Block#EXCHANGES} or {@link Block#EVENTS}. */
    public int kind() {
        return kind;
    }

    /** Returns its number in the table of columns. */
    public int id() {
        return id;
    }

    /** Returns its name, as in the description of the format. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Type type() {
        return type;
    }

    Coding coding() {
        return coding;
    }

    /** Returns whether a block of calls may lack it and a reader may ask for it. */
    public boolean isOptional() {
        return kind == Block.CALLS && id > FIRST.id && id < METRIC.id;
    }
}
