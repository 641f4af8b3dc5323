import { defineWorld } from 'sandpiper/config';

const port = process.env['PORT'] ?? 3000;

/** What the platform knows when the shop starts: two companies, the shop as an app of theirs, and its webhook. */
export default defineWorld({
  companies: [{ name: 'Acme' }, { name: 'Brant' }],
  apps: [
    { name: 'Shop of Acme', company: 'Acme', key: 'acme-shop-key' },
    {
      name: 'Shop',
      company: 'Acme',
      kind: 'public',
      clientId: 'shop-client',
      clientSecret: 'shop-secret',
      redirectUris: [`http://localhost:${port}/callback`],
    },
  ],
  signUpUnits: [
    { company: 'Acme', language: 'en', country: 'US', type: 'MARKETING' },
    { company: 'Brant', language: 'en', country: 'US', type: 'MARKETING' },
  ],
  subscribers: [
    {
      company: 'Acme',
      addresses: ['+15555550100', 'ada@example.com'],
      subscriptions: [{ type: 'MARKETING', channel: 'EMAIL' }],
    },
  ],
  webhooks: [
    {
      company: 'Acme',
      app: 'Shop of Acme',
      url: `http://localhost:${port}/webhooks`,
      events: ['sms.subscribed'],
      signingKey: 'a-key-of-the-settings-page',
    },
  ],
});
