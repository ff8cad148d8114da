/**
 * Sample format 1: every call and every observation of a run, in checksummed columnar blocks.
 *
 * <h2>Block</h2>
 * All integers little-endian.
 * <pre>
 *  0 u32 magic "DPB1"          4 u32 length of the whole block, checksum included, at most 1 MiB
 *  8 u8  version = 1           9 u8  kind: 1 calls, 2 observations       10 u16 number of columns
 * 12 u32 tester               16 u64 number of the block among this tester's, from 1, no gaps
 * 24 u32 number of rows       28 u32 reserved, 0
 * 32 i64 base of the times    40 i64 earliest and 48 i64 latest end (calls) or time (observations)
 * 56 columns, each: u16 id, u8 type, u8 codec, u32 length of its data
 *    data of the columns, in their order
 *    u32 CRC-32C (RFC 3720) of all bytes before
 * </pre>
 * Times are nanoseconds on the tester's monotonic clock. Types: 1 integer, 2 decimal (IEEE 754 double, NaN for "none"),
 * 3 word (a dictionary, then the words' places in it as integers). Codecs of integers: 0 one value for all rows, 1
 * varint (LEB128) of the unsigned value, 2 varint of the zigzag difference to the row before (the first to the base),
 * 3 runs of value (zigzag varint) and length (varint); of decimals: 4 eight bytes each. The dictionary is a varint count,
 * then for each word a varint length and UTF-8 bytes, all before the integers' codec byte and data.
 *
 * <h2>Contract</h2>
 * <ol>
 *   <li>A reader must refuse a block whose version it does not know, with both versions in the message.
 *   <li>A reader must skip columns whose id it does not know.
 *   <li>A reader must check lengths before it allocates, and the checksum before it decodes.
 *   <li>A writer must number a tester's blocks from 1 without gaps; both kinds share the numbers.
 *   <li>Blocks of several testers may share a file, in any order; those of one tester may come out of order after a
 *       reconnection, and twice only when the collector was killed: readers should drop doubles by number.
 * </ol>
 */
@NullMarked
package org.diperf.core.sample;

import org.jspecify.annotations.NullMarked;
