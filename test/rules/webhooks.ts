import { toShownWebhookId } from '../../emulator/features/graphql/nodes.ts';
import type { Violation } from './violation.ts';

const json = { url: 'http://localhost:3000/webhooks', events: ['sms.sent'] };

export const webhookViolations: readonly Violation[] = [
  {
    rule: 'webhooks.event-type',
    request: {
      method: 'POST',
      path: '/webhooks',
      json: { url: 'http://localhost:3000/webhooks', events: ['sms.sent', 'SMS.Subscribed'] },
    },
  },
  {
    rule: 'webhooks.unknown',
    request: { method: 'PUT', path: '/webhooks/MjU6Q29tcGFueUFwcGxpY2F0aW9uV2ViaG9vazk5OTk', json },
    before: async (sandbox) => void (await sandbox.call('POST', '/webhooks', { json })),
    noEdit: 'Another webhook is not the one that was meant.',
  },
  {
    rule: 'webhooks.unknown',
    request: { method: 'DELETE', path: '/webhooks' },
    async before(sandbox) {
      await sandbox.call('POST', '/webhooks', { json });
      const { body } = await sandbox.call('POST', '/webhooks', { json });
      return { path: `/webhooks/${toShownWebhookId((body as { readonly id: string }).id)}` };
    },
  },
];
