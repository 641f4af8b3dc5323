import type { Violation } from './violation.ts';

const unsubscribe = {
  method: 'POST',
  path: '/subscriptions/unsubscribe',
  json: { user: { email: 'ada@example.com' } },
} as const;

export const faultViolations: readonly Violation[] = [
  { rule: 'faults.header', request: { method: 'GET', path: '/me', headers: { 'x-sandbox-fault': 'sattus=503' } } },
  { rule: 'faults.header', request: { method: 'GET', path: '/me', headers: { 'x-sandbox-fault': 'cut, cut' } } },
  { rule: 'faults.number', request: { method: 'GET', path: '/me', headers: { 'x-sandbox-fault': 'status=abc' } } },
  { rule: 'faults.flag', request: { method: 'GET', path: '/me', headers: { 'x-sandbox-fault': 'reset=perhaps' } } },
  { rule: 'faults.reset-cut', request: { method: 'GET', path: '/me', headers: { 'x-sandbox-fault': 'reset, cut' } } },
  {
    rule: 'limits.rate',
    request: unsubscribe,
    noEdit: 'The same request is taken when the second is over: there is nothing to change in it, only to wait.',
    async before(sandbox) {
      sandbox.emulator.deps.clock.freeze(true);
      await sandbox.control('POST', '/control/limits', { mode: 'real' });
      for (let sent = 0; sent < 5; sent++) await sandbox.call(unsubscribe.method, unsubscribe.path, unsubscribe);
    },
  },
];
