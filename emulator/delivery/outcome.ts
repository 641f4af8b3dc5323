/** Decides what an outcome means for a delivery and its webhook. Pure. */
import type { Delivery, DeliveryAttempt, Webhook } from '../records.ts';
import { cutText } from '../contract/cut-text.ts';
import { toIso } from '../time/duration.ts';
import { nextAttemptAt, toRetryAfter } from './schedule.ts';
import type { DeliverySettings } from './settings.ts';
import type { Outcome } from './send.ts';
import type { DeliveryEvent } from './table.ts';

export interface Verdict {
  readonly event: DeliveryEvent;
  readonly why: string;
  /** ISO; set if the event is `refused`. */
  readonly nextAttemptAt: string | null;
  /** Why the webhook must be disabled, null if not. */
  readonly disable: string | null;
}

/** Epoch ms. */
export interface Times {
  /** The time on the virtual clock as of which the attempt is judged. */
  readonly now: number;
  /** The time that the virtual clock shows: later than `now` if the clock was moved before the outcome was known. */
  readonly shown: number;
  readonly wall: number;
}

/** Judges an attempt. `delivery` is as it was while it was sent; `webhook` is undefined if it was deleted meanwhile. */
export function judge(
  delivery: Delivery,
  outcome: Outcome,
  webhook: Webhook | undefined,
  { now, shown, wall }: Times,
  settings: DeliverySettings,
): Verdict {
  const { error, response } = outcome;
  const verdict = (event: DeliveryEvent, why: string, more: Partial<Verdict> = {}): Verdict => ({
    event,
    why,
    nextAttemptAt: null,
    disable: null,
    ...more,
  });
  if (error === null) return verdict('accepted', `The receiver answered ${response?.status}.`);
  if (delivery.webhookId === null)
    return verdict('giveUp', `${error} Events to an address given by hand are sent only once.`);
  if (!webhook) return verdict('abandon', `${error} The webhook was deleted meanwhile.`);
  // The answer of a former address says nothing about the present one, which gets the next attempt.
  const isMoved = !isSentTo(webhook, delivery);
  if (webhook.disabledAt !== null) return verdict('pause', `${error} The webhook was disabled meanwhile.`);
  const disable = isMoved ? null : toDisable(webhook, now, settings);
  if (outcome.refused && !isMoved) return verdict('giveUp', error, { disable });
  const retryAfterMs = toRetryAfter(response?.headers['retry-after'], wall);
  const startedAt = delivery.seriesStartedAt === null ? now : Date.parse(delivery.seriesStartedAt);
  const failure = { attempts: delivery.seriesAttempts + 1, startedAt, now };
  const next = nextAttemptAt({ ...failure, retryAfterMs }, settings);
  const asked = retryAfterMs === null ? '' : ` It asked for a pause of ${Math.ceil(retryAfterMs / 1000)} s.`;
  if (next === null) {
    // If the receiver asked for a pause of days, it was not tried for three whole days.
    const isTriedWhole = nextAttemptAt({ ...failure, retryAfterMs: null }, settings) === null;
    return verdict(
      'giveUp',
      `${error}${asked} The next attempt would come after the three days in which it is tried.`,
      {
        disable: disable ?? (isTriedWhole && !isMoved ? toDisableAtEnd(webhook, delivery) : null),
      },
    );
  }
  const late =
    next > shown || shown === now
      ? ''
      : ` The clock was moved past the time of the next attempt before the answer came, so it is tried again at once.`;
  return verdict('refused', `${error}${asked}${late}`, { nextAttemptAt: toIso(next), disable });
}

/** Whether a delivery was sent to the present address of its webhook, which may have changed meanwhile. */
export function isSentTo({ url }: Webhook, delivery: Delivery): boolean {
  return delivery.url === url;
}

function toDisable({ failingSince }: Webhook, now: number, { disableAfterMs }: DeliverySettings): string | null {
  if (failingSince === null || now - Date.parse(failingSince) < disableAfterMs) return null;
  return nothingSince(failingSince);
}

/** Like `toDisable`, for the last attempt of a delivery, which comes some hours before `disableAfterMs` is over. */
function toDisableAtEnd({ failingSince }: Webhook, { attempts, seriesAttempts }: Delivery): string | null {
  const firstAt = attempts.at(-seriesAttempts)?.at;
  if (failingSince === null || firstAt === undefined) return null;
  if (Date.parse(failingSince) > Date.parse(firstAt)) return null;
  return nothingSince(failingSince);
}

const nothingSince = (since: string): string => `nothing was accepted since ${since}`;

/** The delivery with one more attempt in its log. */
export function withAttempt(
  delivery: Delivery,
  attempt: DeliveryAttempt,
  { keptAttempts, keptEarlierCharacters }: DeliverySettings,
): Delivery {
  const earlier = delivery.attempts.slice(-(keptAttempts - 1));
  return {
    ...delivery,
    attempts: [...earlier.map((one) => withShortAnswer(one, keptEarlierCharacters)), attempt],
    attemptCount: delivery.attemptCount + 1,
    seriesAttempts: delivery.seriesAttempts + 1,
  };
}

function withShortAnswer(attempt: DeliveryAttempt, most: number): DeliveryAttempt {
  const { response } = attempt;
  if (response === null || response.body.length <= most) return attempt;
  return { ...attempt, response: { ...response, body: cutText(response.body, most) } };
}

/** The delivery at the beginning of a new series of attempts. */
export function withNewSeries(delivery: Delivery): Delivery {
  return { ...delivery, seriesStartedAt: null, seriesAttempts: 0, nextAttemptAt: null };
}
