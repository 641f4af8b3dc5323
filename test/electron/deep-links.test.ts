import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkAmong, toRoute } from '../../electron/deep-links.ts';
import { sectionList } from '../../renderer/section-list.ts';

test.for([
  ['sandpiper://home', '/'],
  ['sandpiper://requests', '/requests'],
  ['sandpiper://requests/', '/requests'],
  ['sandpiper://requests/req_1-A', '/requests/req_1-A'],
  ['sandpiper://webhooks/MDc6V2ViaG9vazE', '/webhooks/MDc6V2ViaG9vazE'],
] as const)('%s leads to %s', ([link, route]) => {
  expect(toRoute(link)).toBe(route);
});

test.for([
  'sandpiper://',
  'sandpiper:requests',
  'sandpiper:///requests',
  'SANDPIPER://requests/1',
  'sandpiper://home/1',
  'sandpiper://unknown/1',
  'sandpiper://requests/req_1/replay',
  'sandpiper://requests/../settings',
  'sandpiper://requests/%2e%2e',
  'sandpiper://requests/a%2fb',
  'sandpiper://requests/req_1?replay=1',
  'sandpiper://requests/req_1#token=x',
  'sandpiper://user@requests/1',
  'sandpiper://requests:80/1',
  'sandpiper://requests/<img src=x onerror=alert(1)>',
  'sandpiper://requests/é',
  `sandpiper://requests/${'a'.repeat(201)}`,
  'sandpiperx://requests/1',
  'https://requests/1',
  'javascript:alert(1)',
  '',
])('%j is not one of our links', (link) => {
  expect(toRoute(link)).toBeNull();
});

test('any accepted link names a section of the inspector and at most one record', () => {
  const paths = sectionList.map(({ path }) => `/${path.split('/')[1]}`);
  for (const path of paths) expect(toRoute(`sandpiper://${path === '/' ? 'home' : path.slice(1)}`), path).toBe(path);
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('sandpiper://', 'sandpiper://requests/', ''), (rest, start) => {
      const route = toRoute(start + rest);
      if (route === null) return;
      expect(route).toMatch(/^\/[a-z-]*(?:\/[\w-]{1,200})?$/);
      expect(paths).toContain(`/${route.split('/')[1]}`);
    }),
  );
});

test('the link is found among the arguments of a second start', () => {
  expect(linkAmong(['/usr/bin/sandpiper', '--devtools', 'sandpiper://requests/1'])).toBe('sandpiper://requests/1');
  expect(linkAmong(['/usr/bin/sandpiper', '/data/sandpiper://x'])).toBeNull();
});
