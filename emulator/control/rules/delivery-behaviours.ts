/** Behaviours of outgoing webhooks. */
import { inThousands } from '../../contract/digits.ts';
import { hopsHeader } from '../../delivery/loop-count.ts';
import { deliverySettings } from '../../delivery/settings.ts';
import { previousSignatureHeader } from '../../delivery/signature/signature.ts';
import { formatDuration } from '../../time/duration.ts';
import { assumed, observed, type Behaviour } from './behaviour.ts';

const { timeoutMs, retryDelaysMs, retryForMs, disableAfterMs, keyOverlapMs, maxHops, maxChain, chainGapMs, readBytes } =
  deliverySettings;
const deliveries = 'docs/platform.md, Webhook deliveries';

export const deliveryBehaviours: readonly Behaviour[] = [
  observed(
    'deliveries.retry-span',
    deliveries,
    `A delivery that was not accepted is tried again for up to ${formatDuration(retryForMs)} after its first attempt.`,
  ),
  assumed(
    'deliveries.retry-schedule',
    deliveries,
    `The waits between attempts are ${retryDelaysMs.map(formatDuration).join(', ')}; the last one repeats. Each ends at the next whole second.`,
    'It is public that the waits grow exponentially, but not how long they are.',
  ),
  assumed(
    'deliveries.retry-after',
    deliveries,
    'The next attempt is not made before the time that the receiver named in Retry-After.',
    'This is the meaning of the header (RFC 9110 section 10.2.3).',
  ),
  assumed(
    'deliveries.timeout',
    deliveries,
    `A receiver has ${formatDuration(timeoutMs)}, from the start of the request to the end of its answer.`,
    'The timeout is not public.',
  ),
  assumed(
    'deliveries.answer-size',
    deliveries,
    `At most ${readBytes / 1024} KB of a receiver's answer are read.`,
    'A receiver must not fill the memory.',
  ),
  assumed(
    'deliveries.redirects',
    deliveries,
    'Redirects are not followed; they count as not accepted.',
    'Anything but 2xx is retried, and a redirect could lead to an address that was never registered.',
  ),
  assumed(
    'deliveries.disable-after',
    deliveries,
    `A webhook that accepted nothing for ${formatDuration(disableAfterMs)} is disabled, and its deliveries are paused; so is one that accepted nothing from the first to the last attempt of a delivery that failed after all its retries.`,
    'It is public that a webhook is disabled after several days, but not after how many.',
  ),
  assumed(
    'deliveries.previous-key',
    deliveries,
    `For ${formatDuration(keyOverlapMs)} after a new signing key was made, ${previousSignatureHeader} carries the signature of the key before it.`,
    'How the platform replaces a key is not public; this way a receiver misses nothing.',
  ),
  assumed(
    'deliveries.standard-webhooks',
    deliveries,
    'Deliveries also carry webhook-id, webhook-timestamp and webhook-signature. Libraries of Standard Webhooks take the signing key as standardSecret: whsec_ and the base64 of its text.',
    'An addition, so that receivers with a library for Standard Webhooks can verify them.',
  ),
  assumed(
    'deliveries.loops',
    deliveries,
    `An event that ${maxHops} deliveries led to is not published. Without ${hopsHeader}, which counts them, neither is one that follows ${inThousands(maxChain)} of its type about one person to one webhook, if each came during the delivery of the one before or within ${formatDuration(chainGapMs)} after it, and the clock was not moved in between.`,
    'A receiver that calls the API on each event would otherwise never end.',
  ),
  assumed(
    'deliveries.present-webhook',
    deliveries,
    'Each attempt goes to the present address of its webhook, and is signed with its present key.',
    'What the platform does with waiting events when a webhook changes is not public.',
  ),
  assumed(
    'deliveries.while-disabled',
    deliveries,
    'A webhook gets no event that happens while it is disabled, not even after it is enabled again.',
    'It is public only that no retry goes to a disabled webhook.',
  ),
  assumed(
    'deliveries.deleted-webhook',
    'docs/platform.md, Webhooks',
    'A deleted webhook is no longer listed.',
    'A public description of disabledAt suggests that it may still be.',
  ),
  assumed(
    'deliveries.subscriber',
    deliveries,
    'The subscriber of an event has the address that the event is about, and on the other channel the one in the request, else the first of the person.',
    'The samples show people with one phone and one email.',
  ),
  assumed(
    'deliveries.attribute-set',
    deliveries,
    'custom_attribute.set is also sent if the attribute already had the value.',
    'Its name says that the attribute was set, not that it changed.',
  ),
];
