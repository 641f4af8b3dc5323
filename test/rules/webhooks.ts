import type { Violation } from './violation.ts';

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
    request: {
      method: 'PUT',
      path: '/webhooks/MjU6Q29tcGFueUFwcGxpY2F0aW9uV2ViaG9vazk5OTk',
      json: { url: 'http://localhost:3000/hooks', events: ['sms.sent'] },
    },
    before: async (sandbox) =>
      void (await sandbox.call('POST', '/webhooks', {
        json: { url: 'http://localhost:3000/webhooks', events: ['sms.sent'] },
      })),
  },
];
