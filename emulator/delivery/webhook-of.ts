/**
 * The target that `to` means when an event is sent by hand: a webhook by its id or by its URL, or an address without a
 * webhook.
 */
import type { Webhook } from '../records.ts';
import { inBody, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { deliveryRules } from './rules.ts';
import { testSigningKey } from './settings.ts';
import { toStandardSecret } from './signature/signature.ts';
import type { EventInput } from './shapes.ts';
import { isUrl, isWebUrl } from '../contract/url.ts';

/**
 * The webhook that `to` means; null if it is a URL without a registered webhook. If a URL has enabled and disabled
 * webhooks, only the enabled ones count; with a company given, only the webhooks of that company count.
 * @param reach how far an event may go to an address without a webhook
 * @throws Refusal if `to` is neither an id nor a URL, if the webhook is disabled or has another reach, or if several
 *   match
 */
export function webhookOf(
  store: Store,
  { to, companyId, reach: asked }: Pick<EventInput, 'companyId' | 'reach'> & { readonly to: string },
): Webhook | null {
  const webhook = store.webhooks.get(to) ?? webhookAt(store, to, companyId);
  if (webhook !== null && webhook.disabledAt !== null)
    return refuse(deliveryRules.webhookDisabled, inBody('/to'), to, {
      webhookId: webhook.id,
      reason: webhook.disabledReason,
    });
  if (webhook !== null && asked !== undefined && asked !== webhook.reach)
    return refuse(deliveryRules.ownReach, inBody('/reach'), asked, {
      webhookId: webhook.id,
      reach: webhook.reach,
      asked,
    });
  return webhook;
}

function webhookAt(store: Store, to: string, companyId: string | undefined): Webhook | null {
  if (!isWebUrl(to)) return refuse(deliveryRules.target, inBody('/to'), to, { to });
  const url = toHref(to);
  const all = store.webhooks
    .records()
    .filter((one) => toHref(one.url) === url && (companyId === undefined || one.companyId === companyId));
  const enabled = all.filter(({ disabledAt }) => disabledAt === null);
  const [first = null, ...others] = enabled.length > 0 ? enabled : all;
  if (first === null || others.length === 0) return first;
  const webhooks = [first, ...others].map(({ id, events, companyId: of }) => {
    const company = store.companies.get(of)?.name ?? of;
    return `${id} of ${company} (${events.join(', ')})`;
  });
  return refuse(deliveryRules.severalWebhooks, inBody('/to'), to, { url: to, webhooks });
}

/** A URL in one spelling, in which the three names of this machine are the same. */
function toHref(text: string): string {
  if (!isUrl(text)) return text;
  const url = new URL(text);
  if (url.hostname === '127.0.0.1' || url.hostname === '[::1]') url.hostname = 'localhost';
  return url.href;
}

/**
 * The key that signs events to these webhooks, as a sentence that also says where to read the key. Null: an address
 * without a webhook.
 */
export function toSigner(webhooks: readonly (Webhook | null)[], now: number): string {
  const where =
    'The inspector shows it under Webhooks, and GET /control/webhooks returns it as signingKey, for libraries of Standard Webhooks as standardSecret.';
  const [first, ...others] = webhooks;
  if (others.length > 0) return `Each is signed with the key of its own webhook. ${where}`;
  if (!first) {
    const why = first === null ? 'No webhook is registered at this URL' : 'No webhook gets it';
    return `${why}, so the test key signs: ${testSigningKey} (for Standard Webhooks: ${toStandardSecret(testSigningKey)}).`;
  }
  const { id, previousKey } = first;
  const old = previousKey !== null && Date.parse(previousKey.until) > now ? ', and with its old key' : '';
  return `Signed with the key of the webhook ${id}${old}. ${where}`;
}
