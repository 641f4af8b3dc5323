/** The memory of recorded requests, in buffers that are used again. */
import { structuredClone } from '../../globals.ts';

/** Entries share buffers of this size, in bytes: thousands of separate buffers would slow the garbage collector. */
export const sharedBufferBytes = 256 * 1024;

/** How many buffers wait to be used again; more are left to the garbage collector. */
const mostSpare = 16;

/** A buffer with the entries of several requests, and how many of them are still read. */
export interface SharedBuffer {
  /** Empty once the memory is used for other requests. */
  bytes: Buffer;
  /** The number of holds; at 0 its memory is used again. */
  holds: number;
  /** Called when the last hold ended. */
  onUnheld(): void;
}

export const noBytes = Buffer.alloc(0);

/** Wraps bytes whose memory is never used again for others. It has no holds yet. */
export function toSharedBuffer(bytes: Buffer): SharedBuffer {
  return { bytes, holds: 0, onUnheld() {} };
}

/**
 * Creates the function that takes a buffer from the pool. The buffer has one hold, for the code that fills it. Its
 * memory is used again when the last hold ends: the garbage collector would free it only after some time, and until
 * then as much memory again would be taken.
 */
export function createBufferPool(): () => SharedBuffer {
  const spare: Buffer[] = [];
  return () => ({
    bytes: spare.pop() ?? Buffer.allocUnsafeSlow(sharedBufferBytes),
    holds: 1,
    onUnheld() {
      // A buffer that is held again after its memory was taken away has none to give.
      if (spare.length < mostSpare && this.bytes.length > 0) spare.push(takeAway(this));
    },
  });
}

/** Ends one hold of a buffer. */
export function letGoOf(shared: SharedBuffer): void {
  shared.holds -= 1;
  if (shared.holds === 0) shared.onUnheld();
}

/**
 * Moves the memory of a shared buffer to a new one. All views of the old one become empty, so that none reads later
 * bytes.
 */
function takeAway(shared: SharedBuffer): Buffer {
  const { buffer } = shared.bytes;
  shared.bytes = noBytes;
  return Buffer.from(structuredClone(buffer, { transfer: [buffer as ArrayBuffer] }));
}
