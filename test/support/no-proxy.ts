import { afterAll, beforeAll, vi } from 'vitest';

/** Removes the variables that name a proxy on this machine, for the tests of one file. */
export function useNoProxy(): void {
  beforeAll(() => {
    for (const name of ['HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'])
      for (const one of [name, name.toLowerCase()]) vi.stubEnv(one, undefined);
  });
  afterAll(() => void vi.unstubAllEnvs());
}
