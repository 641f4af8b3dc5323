import { rule, type AnyRule } from '../rules.ts';

/** What is refused of an event that is fired by hand. */
export const deliveryRules = {
  severalWebhooks: rule<{ readonly url: string; readonly webhooks: readonly string[] }>({
    id: 'delivery.several-webhooks',
    status: 400,
    section: 'control API',
    provenance: 'assumed',
    says: 'An event that is fired at a URL is signed with the key of the one webhook that is registered there.',
    message: ({ url, webhooks }) =>
      `${webhooks.length} webhooks are registered at ${url}, each with its own signing key: ${webhooks.join('; ')}. Give the id of one of them as "to" instead of the URL.`,
    fix: () => ({ say: 'Give the id of one of these webhooks as "to".', edits: [] }),
  }),
} as const;

/** These rules as a list. */
export const allDeliveryRules: readonly AnyRule[] = Object.values(deliveryRules);
