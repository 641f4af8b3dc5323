import { expect, test } from 'vitest';
import { checkAccess, copyOf, expectSeen, useInspector } from '../support/browser.ts';
import { xss } from '../support/xss.ts';

const inspector = useInspector({ onNotice: () => {} });

/** Makes the next call of an operation fail with an internal error. */
async function breakOnce(message: string): Promise<void> {
  const { emulator } = inspector.sandbox;
  const operation = emulator.operations.find(({ method, path }) => method === 'GET' && path === '/me') as {
    handle: unknown;
  };
  const { handle } = operation;
  operation.handle = () => {
    operation.handle = handle;
    throw new Error(message);
  };
  const answer = await fetch(`${emulator.apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });
  expect(answer.status).toBe(500);
}

test('nothing is shown without an error, and refusals are not internal errors', async () => {
  await inspector.sandbox.control('DELETE', '/control/own-errors');
  const page = await inspector.open('/problems');
  await inspector.sandbox.call('GET', '/me', { key: null });
  await expectSeen(page.getByText('Nothing went wrong in Sandpiper itself'));
});

test('an internal error appears at once, with its request, its stack, and a report without secrets', async () => {
  const page = await inspector.open('/problems');
  await page.getByText('Nothing went wrong in Sandpiper itself').waitFor();
  await breakOnce('The tide did not turn.');
  await page.getByText('Error: The tide did not turn.').waitFor();
  await page.getByRole('button', { name: 'Stack' }).click();
  await page.getByLabel('Stack', { exact: true }).getByText('problems.test.ts').waitFor();
  const report = await copyOf(page, () => page.getByRole('button', { name: 'Copy a bug report' }).click());
  await page.getByText('Copied a bug report').waitFor();
  expect(report).toMatch(/^# Error: The tide did not turn\.\n/);
  expect(report).toContain('GET /v1/me was answered with 500');
  expect(report).toContain('problems.test.ts');
  expect(report).not.toContain('sandpiper-demo-key');
  await page.getByRole('link', { name: 'a request' }).click();
  await expect.poll(() => page.url()).toContain(`/requests/${inspector.sandbox.emulator.recorder.all().at(-1)?.id}`);
  await page.goBack();
  await page.getByRole('button', { name: 'Clear the errors' }).click();
  await page.getByText('Nothing went wrong in Sandpiper itself').waitFor();
});

test('the view is accessible, and shows hostile messages as texts', async () => {
  await breakOnce(xss);
  const page = await inspector.open('/problems');
  await page.getByText('onerror').first().waitFor();
  await page.getByRole('button', { name: 'Stack' }).click();
  await checkAccess(page);
  expect(await page.evaluate('window.__xss')).toBeUndefined();
  await inspector.sandbox.control('DELETE', '/control/own-errors');
});

test('in a narrow window the acts of an error are below its text', async () => {
  const page = await inspector.open('/problems', { width: 390, height: 800 });
  await breakOnce('a-message-without-a-blank-that-needs-all-of-the-width');
  const row = page.locator('.pr-row').filter({ hasText: 'without-a-blank' });
  const [text, act] = [row.getByText(/^Error: /), row.getByRole('button', { name: 'Copy a bug report' })];
  await expectSeen(act);
  const [above, below] = [await text.boundingBox(), await act.boundingBox()];
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? Infinity));
  expect(above?.height).toBeLessThan(60);
  await inspector.sandbox.control('DELETE', '/control/own-errors');
});
