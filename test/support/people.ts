import type { Channel } from '../../emulator/records.ts';
import type { Known } from '../../emulator/people/users.ts';

/** The time and the origin of people that a test creates by hand. */
export function knownAt(at = '2026-01-01T00:00:00.000Z'): Known {
  return { at, from: { by: 'unknown', what: 'a test', requestId: null } };
}

/** An address in the form in which a person's record has it. */
export function toAddress(channel: Channel, value: string) {
  const { at, from } = knownAt();
  return { channel, value, since: at, from };
}
