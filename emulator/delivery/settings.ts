/**
 * All numbers about deliveries in one place. The platform publishes only the three days (docs/platform.md, Webhook
 * deliveries).
 */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

export interface DeliverySettings {
  /** Simultaneous sends, over all webhooks. */
  readonly concurrency: number;
  /** How many of these may go to one webhook, so that a slow receiver leaves room for others. */
  readonly concurrencyPerWebhook: number;
  /** A webhook with nothing under way may always send, up to this many in all. */
  readonly concurrencyLimit: number;
  /** Sends that begin, and outcomes that are recorded, in one turn of the event loop. */
  readonly perTurn: number;
  /**
   * Like `perTurn`, while API requests come in. Turns are then a millisecond apart, which leaves requests most of the
   * time.
   */
  readonly perTurnBesideRequests: number;
  /** The time limit from the start of a send to the end of the answer. */
  readonly timeoutMs: number;
  /** Bytes that are read of an answer. */
  readonly readBytes: number;
  /** Bytes of an answer that are kept in the log. */
  readonly keptBytes: number;
  /** Characters kept of an answer once another attempt follows: a delivery has thirty, and all are in memory. */
  readonly keptEarlierCharacters: number;
  readonly keptAttempts: number;
  /** Finished deliveries beyond this number are removed, oldest first. */
  readonly keptDeliveries: number;
  /** Waits between attempts; the last one repeats until `retryForMs` is over. */
  readonly retryDelaysMs: readonly [number, ...number[]];
  readonly retryForMs: number;
  /** A webhook that accepted nothing for this long is disabled. */
  readonly disableAfterMs: number;
  /** How long the old key signs too, after a rotation. */
  readonly keyOverlapMs: number;
  /** An event that this many deliveries led to is not published. */
  readonly maxHops: number;
  /**
   * How many events in a row are sent of one type, person and webhook, if each may have been caused by the one before.
   * A test that waits for each delivery before its next call looks the same, and should not reach this number.
   */
  readonly maxChain: number;
  /** How long after a delivery an API request counts as perhaps caused by it. */
  readonly chainGapMs: number;
  /** How long one advance of the clock waits for one receiver that gives no answer, real time, see patience.ts. */
  readonly advanceGraceMs: number;
  /** How much longer it waits for that receiver after a tick with answers, however many; real time. */
  readonly advanceGracePerAnswerMs: number;
  /** How long one advance of the clock waits for all receivers that do not answer, real time. */
  readonly advanceGraceInAllMs: number;
  /** How long the reply to an event fired by hand waits for the receiver. */
  readonly triggerGraceMs: number;
  /** How long `close` waits for a running send. */
  readonly closeGraceMs: number;
}

export const deliverySettings: DeliverySettings = {
  concurrency: 50,
  concurrencyPerWebhook: 10,
  concurrencyLimit: 250,
  perTurn: 50,
  perTurnBesideRequests: 2,
  timeoutMs: 15 * second,
  readBytes: 64 * 1024,
  keptBytes: 16 * 1024,
  keptEarlierCharacters: 2_000,
  keptAttempts: 30,
  keptDeliveries: 20_000,
  retryDelaysMs: [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 3 * hour, 6 * hour, 12 * hour],
  retryForMs: 72 * hour,
  disableAfterMs: 72 * hour,
  keyOverlapMs: 24 * hour,
  maxHops: 5,
  maxChain: 1_000,
  chainGapMs: second,
  advanceGraceMs: 250,
  advanceGracePerAnswerMs: 100,
  advanceGraceInAllMs: 2 * second,
  triggerGraceMs: second,
  closeGraceMs: 500,
};

/** Signs events to an address given by hand; the same in every instance, so that a receiver can be set up with it. */
export const testSigningKey = 'sandpiper-test-signing-key';
