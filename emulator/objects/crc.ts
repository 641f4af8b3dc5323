/**
 * Starts a CRC that zlib does not have. It has 4 or 8 bytes, reversed bits, all ones as its initial value, and is
 * inverted at the end.
 * @param polynomialHigh the upper half of the reversed polynomial; 0 for a CRC of 4 bytes
 * @param polynomialLow the lower half
 */
export function startCrc(
  bytes: 4 | 8,
  polynomialHigh: number,
  polynomialLow: number,
): { update(chunk: Buffer): void; digest(): Buffer } {
  const { highs, lows } = toTables(polynomialHigh, polynomialLow);
  let [upper, lower] = [bytes === 8 ? 0xffffffff : 0, 0xffffffff];
  return {
    update(chunk) {
      let [high, low] = [upper, lower];
      // Two halves of 32 bits, and a loop by index: a BigInt for each byte, or an iterator, is several times slower.
      for (let at = 0; at < chunk.length; at += 1) {
        const entry = (low ^ (chunk[at] ?? 0)) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ (lows[entry] ?? 0);
        high = (high >>> 8) ^ (highs[entry] ?? 0);
      }
      [upper, lower] = [high, low];
    },
    digest() {
      const sum = Buffer.alloc(8);
      sum.writeUInt32BE(~upper >>> 0, 0);
      sum.writeUInt32BE(~lower >>> 0, 4);
      return sum.subarray(8 - bytes);
    },
  };
}

function toTables(high: number, low: number): { readonly highs: Int32Array; readonly lows: Int32Array } {
  const highs = new Int32Array(256);
  const lows = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let [upper, lower] = [0, byte];
    for (let bit = 0; bit < 8; bit += 1) {
      const isOdd = (lower & 1) === 1;
      lower = (lower >>> 1) | (upper << 31);
      upper >>>= 1;
      if (isOdd) [upper, lower] = [upper ^ high, lower ^ low];
    }
    highs[byte] = upper;
    lows[byte] = lower;
  }
  return { highs, lows };
}
