export default { test: { include: ['vitest.ts'], root: import.meta.dirname, testTimeout: 60_000 } };
