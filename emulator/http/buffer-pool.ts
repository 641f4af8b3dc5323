/** The memory of recorded requests, in buffers that are used again. */
import { structuredClone } from '../globals.ts';

/** Entries share buffers of this size, in bytes: thousands of buffers of their own would slow the garbage collector. */
export const sharedBufferBytes = 256 * 1024;

/** How many buffers wait to be used again; more are left to the garbage collector. */
const mostSpare = 16;

/** A buffer with the entries of several requests, and how many of them are still read. */
export interface SharedBuffer {
  /** Empty once the memory is used for others. */
  bytes: Buffer;
  /** How often it is held; at 0 its memory is used again. */
  holds: number;
  /** Called when the last hold ended. */
  onUnheld(): void;
}

export const noBytes = Buffer.alloc(0);

/** A buffer whose memory is not used again, not held so far. */
export function toSharedBuffer(bytes: Buffer): SharedBuffer {
  return { bytes, holds: 0, onUnheld() {} };
}

/**
 * Creates the function that takes a buffer from the pool, held once, by the code that fills it. Its memory is used again when nothing
 * in it is held: the garbage collector frees it only after some time, and until then as much memory again would be taken.
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

/** The memory of a shared buffer as another one. All views of the old one become empty, so that none reads what comes. */
function takeAway(shared: SharedBuffer): Buffer {
  const { buffer } = shared.bytes;
  shared.bytes = noBytes;
  return Buffer.from(structuredClone(buffer, { transfer: [buffer as ArrayBuffer] }));
}
