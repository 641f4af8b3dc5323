import type { Violation } from './violation.ts';

export const catalogViolations: readonly Violation[] = [
  {
    rule: 'catalog.unknown-upload',
    request: { method: 'GET', path: '/product-catalog/uploads/MTM6Q2F0YWxvZ1VwbG9hZDk' },
    async before(sandbox) {
      await sandbox.call('POST', '/product-catalog/uploads');
    },
  },
];
