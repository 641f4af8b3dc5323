import { expect, test } from 'vitest';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { holdBack } from '../support/hold-back.ts';

const inspector = useInspector();

test.for([
  ['/timeline', /\/control\/timeline\?/],
  ['/webhooks', /\/control\/webhooks\?/],
  ['/webhooks', /\/control\/deliveries\?/],
  ['/subscribers', /\/control\/people\?/],
  ['/catalog', /\/control\/records\/uploads\?/],
  ['/catalog?show=products', /\/control\/catalog\/\w+\/products\?/],
  ['/offers', /\/control\/records\/offers\?/],
] as const)('%s says that a list is being read, until it is there: %s', async ([path, reads]) => {
  const page = await inspector.open();
  const release = await holdBack(page, reads);
  await goTo(page, path);
  const reading = page.getByRole('status').filter({ hasText: 'The list is being read.' });
  await expectSeen(reading);
  expect(await reading.locator('.skel').count()).toBeGreaterThan(4);
  release();
  await expectGone(reading);
});
