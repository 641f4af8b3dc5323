/** The memory of recorded requests, in pieces that are used again. */

/** Entries share pieces of memory of this size: thousands of buffers of their own would slow the collector. */
export const pieceBytes = 256 * 1024;

/** How many pieces wait to be used again; more are left to the collector. */
const mostSpare = 16;

/** A piece of memory with the entries of requests. */
export interface Piece {
  /** Empty once the memory is used for others. */
  bytes: Buffer;
  /** How often it is held. */
  holds: number;
  onUnheld(): void;
}

export const noBytes = Buffer.alloc(0);

/** A piece that is not used again. */
export function toPiece(bytes: Buffer): Piece {
  return { bytes, holds: 0, onUnheld() {} };
}

/**
 * Creates the function that takes pieces, each held once, by the code that fills it. A piece is used again when nothing in it is held
 * any more: the collector takes it only after some time, and until then as much memory again would be taken.
 */
export function createPieces(): () => Piece {
  const spare: Buffer[] = [];
  return () => ({
    bytes: spare.pop() ?? Buffer.allocUnsafeSlow(pieceBytes),
    holds: 1,
    onUnheld() {
      // One that is held again after its memory was taken away has none to give.
      if (spare.length < mostSpare && this.bytes.length > 0) spare.push(takeAway(this));
    },
  });
}

export function letGoOf(piece: Piece): void {
  piece.holds -= 1;
  if (piece.holds === 0) piece.onUnheld();
}

/** The memory of a piece as another buffer. All views of the old one become empty, so that none reads what comes. */
function takeAway(piece: Piece): Buffer {
  const { buffer } = piece.bytes;
  piece.bytes = noBytes;
  return Buffer.from(structuredClone(buffer, { transfer: [buffer as ArrayBuffer] }));
}
