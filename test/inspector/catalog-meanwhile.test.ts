import { expect, test } from 'vitest';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { holdBack, letCome } from '../support/hold-back.ts';
import { chosen, drop, dropAll, mixed, press, useCatalog } from './catalog-support.ts';

const inspector = useInspector({ pace: 'manual' });
const { control, move, upload } = useCatalog(inspector);
const advance = (): Promise<unknown> => inspector.sandbox.emulator.deps.clock.advance(1_000);

test('of several files that are dropped together none is taken, and a file dropped elsewhere is refused', async () => {
  const page = await inspector.open('/catalog');
  await dropAll(page, { 'a.ndjson': mixed, 'b.ndjson': mixed }, 'Drop an ndjson file here');
  await expectSeen(toast(page, '2 files were dropped, and none was taken: drop one at a time.'));
  expect([...inspector.sandbox.emulator.deps.store.uploads.all()]).toEqual([]);
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const isRefused = await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['{}'], 'state.json'));
    const tell = (type: string): boolean =>
      !document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    return [tell('dragover'), tell('drop')];
  });
  expect(isRefused).toEqual([true, true]);
  await expectSeen(toast(page, /^A file can be dropped in Catalog and on the box in Snapshots\./));
});

test('a file that is dropped while another one is sent makes no upload that would wait for it', async () => {
  const page = await inspector.open('/catalog');
  const release = await holdBack(page, /\/control\/uploads\/\w+\/file/);
  await drop(page, 'first.ndjson', mixed);
  await page.getByText('Sending first.ndjson').waitFor();
  await advance();
  await drop(page, 'second.ndjson', mixed, 'Sending first.ndjson');
  await expectSeen(page.getByRole('alert').getByText('first.ndjson is still being sent.'));
  expect(inspector.sandbox.emulator.deps.store.uploads.size).toBe(1);
  release();
  await expectSeen(page.getByText('first.ndjson was sent'));
});

test('a new upload that is refused after its view was left is reported in the view that is shown then', async () => {
  inspector.allowErrors(/409/);
  await control('POST', '/control/faults', { operation: 'POST /product-catalog/uploads', status: 503, times: 2 });
  const page = await inspector.open('/catalog');
  const release = await holdBack(page, /\/control\/uploads$/);
  await drop(page, 'products.ndjson', mixed);
  await goTo(page, '/requests');
  release();
  await expectSeen(page.getByRole('status').getByText('was answered with 503'));
});

test('who leaves the catalog while an upload is made gets there, also if the code of that view comes last', async () => {
  const page = await inspector.open('/catalog');
  const release = await holdBack(page, /\/control\/uploads$/);
  const releaseCode = await holdBack(page, /\/assets\/PrivacyView-.*\.js/);
  await drop(page, 'products.ndjson', mixed);
  await page.getByRole('link', { name: 'Privacy' }).click();
  await letCome(page, /\/control\/uploads$/, release);
  await expectSeen(page.getByText('products.ndjson was sent'));
  releaseCode();
  await expectSeen(page.getByRole('heading', { level: 1, name: 'Privacy' }));
});

test('a move of an upload that is refused after another one was chosen is reported', async () => {
  inspector.allowErrors(/409/);
  const id = await upload(mixed);
  const other = await upload(mixed);
  const page = await inspector.open(`/catalog/${id}`);
  const release = await holdBack(page, /\/uploads\/\w+\/moves/);
  await press(page, 'Finish the check');
  await goTo(page, `/catalog/${other}`);
  await move(id, 'checked');
  release();
  await expectSeen(page.getByRole('status').getByText('takes no "checked"'));
});

test('the X-ray of an upload closes when a state is imported that has its record, but not its file', async () => {
  inspector.allowErrors(/40[49]/);
  const id = await upload(mixed);
  await move(id, 'checked');
  const state = await control('GET', '/control/export');
  const page = await inspector.open(`/catalog/${id}`);
  await chosen(page).getByRole('tab', { name: 'X-ray' }).click();
  const saving = chosen(page).getByRole('region', { name: 'What saving would do' });
  await saving.waitFor();
  await control('POST', '/control/import', state);
  await expectSeen(page.getByRole('alert').getByText('is no longer kept'));
  await expectGone(saving);
});
