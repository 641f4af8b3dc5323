import type { Violation } from './violation.ts';

export const messageViolations: readonly Violation[] = [
  {
    rule: 'links.unknown',
    request: { method: 'GET', path: '/l/nobody-made-this', key: null },
    noEdit: 'no other link is the one that was meant',
  },
];
