/**
 * Sample format 1: every call and every observation of a run, in checksummed columnar blocks.
 *
 * <h2>Block</h2>
 * All integers little-endian.
 * <pre>
 *  0 u32 magic "DPB1"          4 u32 length of the whole block, checksum included, at most 1 MiB
 *  8 u8  version = 1           9 u8  kind: 1 calls, 2 observations, 3 exchanges, 4 groups, 5 events
 * 10 u16 number of columns
 * 12 u32 tester               16 u64 number of the block among this tester's, from 1, no gaps
 * 24 u32 number of rows       28 u32 reserved, 0
 * 32 i64 base of the times    40 i64 earliest and 48 i64 latest end (calls, exchanges) or time (observations, events)
 * 56 columns, each: u16 id, u8 type, u8 codec, u32 length of its data
 *    data of the columns, in their order
 *    u32 CRC-32C (RFC 3720) of all bytes before
 * </pre>
 * The word of an outcome that is not the service's fault starts with U+0001 if it is the load generator's, with U+0002
 * if it is the experiment's; the mark is not part of the cause. Behind U+0003 may stand what the user can do about it, which is no part
 * of the cause either. Blocks of earlier versions have no marks.
 *
 * <p>Times are nanoseconds on the tester's monotonic clock. Types: 1 integer, 2 decimal (IEEE 754 double, NaN for "none"),
 * 3 word (a dictionary, then indices into it as integers). The dictionary is a varint count, then for each word
 * a varint length and UTF-8 bytes, all before the integers' codec byte and data. Decimals have
 * codec 4: eight bytes each; or 5: a codec byte and data of integers, 0 for "none", else 1 and the millionths. A call's metrics may
 * have codec 6: a codec byte and data of integers, by how much such a number is short of the call's response time without its
 * send lag, in ns; columns 6 and 7 must be decoded before.
 *
 * <h2>Columns</h2>
 * Groups of calls (kind 4), which are journeys and named parts of them, have the columns 1 to 10 of calls: the request is the number of
 * the group in the run's list, the instants are those of its first and last call, the bytes those of all.
 *
 * <p>{@link org.diperf.core.sample.SampleColumn} is the catalogue: number, name, type and coding of each. Of calls, 1 to 10 are in
 * every block; 64 to 163 are the metrics of the plugin, in the order of its list, each where a call of the block has it. Optional:
 * <ul>
 *   <li>11 number of the call among those of its client, from 0, and 12 number of its client's iteration to which it belongs, from 0.
 *       Both are kept as the difference to the same client's row before in this block, and of a client's first row in a block as the
 *       number itself, or, where 0x10 is added to the codec, as the difference to the number in the first row of the client that came
 *       first before it (of the block's first row: to 0): a lost block makes no later number wrong. 11 is written, in the second way,
 *       where calls have trace ids; 12 by no version so far.
 *   <li>13 and 14 bounds on the error of its two instants, ns: by how much at most the recorded end is later than the answer came in,
 *       and the recorded sending earlier than the request went out. 2<sup>63</sup> - 1: no bound is known. A block in which no call
 *       has bounds has neither column.
 * </ul>
 * Blocks of exchanges show single calls whole, as people read them: failed ones, the first of each cause, and the slowest. Each is
 * also a row of a block of calls. Their texts have at most 16 Ki characters; each line begins with {@code > } for
 * what was sent, {@code < } for what came, {@code * } for a remark.
 *
 * Blocks of events hold what came within calls, such as the tokens of an answer: consecutive events of one call are consecutive rows,
 * and the columns 1 to 7 say whose they are. An event's instant is the origin plus the gaps, in microseconds, of these rows up to its
 * own. Column 11 is there where any event has a bound.
 *
 * <h2>Codecs of integers</h2>
 * <ul>
 *   <li>0 constant: one value for all rows, a zigzag varint (LEB128).
 *   <li>1 varint of the unsigned value, and 2 varint of the zigzag difference to the row before (the first to the base):
 *       read, no longer written.
 *   <li>3 runs: value (zigzag varint) and length (varint).
 *   <li>4 packed: reference (zigzag varint), step (varint), width (u8, 0 to 64), number of exceptions (varint); then the
 *       low {@code width} bits of each row's number, without gaps, in little-endian words of 64 bits, the first row
 *       lowest; then for each exception the rows since the last one (the first: since row 0; varint) and what its number
 *       has above these bits (zigzag varint). A row's value is reference + step * number.
 *   <li>5 powers of two: a codec byte and data of integers n; a row's value is 0 for n = 0, 2<sup>63</sup> - 1 for n = 64, else
 *       2<sup>n - 1</sup>: read, no longer written.
 *   <li>6 levels: how many there are (varint), and how much each is above the one before (the first: above 0; varint); a codec byte and
 *       data of integers, the number of each row's level, from 0.
 * </ul>
 * A column of instants may add to its codec what its values are distances from: 0x10 the instant in the row before; and
 * for the intended start, 0x20 the start with which the row would end when the row before did; 0x30 the end of the same
 * client's row before in this block, or of the row before where there is none. End = intended start + response time.
 * The first row's forerunner is the base. Columns 2 and 7 must be decoded before such a column.
 *
 * <h2>Contract</h2>
 * <ol>
 *   <li>A reader must refuse a block whose version it does not know, with both versions in the message.
 *   <li>A reader must skip columns whose id it does not know, or does not want; it must not take one that it lacks for zeros.
 *   <li>A reader must check lengths before it allocates, and the checksum before it decodes.
 *   <li>A writer must number a tester's blocks from 1 without gaps; all kinds share the numbers.
 *   <li>Blocks of several testers may share a file, in any order; those of one tester may come out of order after a
 *       reconnection, and twice only when the collector was killed: readers should drop doubles by number.
 * </ol>
 */
@NullMarked
package org.diperf.core.sample;

import org.jspecify.annotations.NullMarked;
