import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { NewUploadView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { Upload } from '../../emulator/records.ts';
import { product, toFile } from '../catalog/support.ts';
import type { Inspector } from '../support/browser.ts';

/** Two good lines, a wrong link, and a line that is not JSON. */
export const mixed = toFile([
  product('a'),
  product('b', { link: 'shop.example/p/tee' }),
  '{"id": "c", }',
  product('d'),
]);

/** What the tests of the catalog do to the server. */
export function useCatalog(inspector: Inspector) {
  const control = async <View>(method: string, path: string, json?: unknown): Promise<View> => {
    const { status, body } = await inspector.sandbox.control(method, path, json);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body as View;
  };

  /** The platform's limit refuses a second upload in the same second of the clock, so each has its own second. */
  async function initiate(validateOnly = false): Promise<string> {
    await inspector.sandbox.emulator.deps.clock.advance(1_000);
    const json = { companyId: demoCompany, validateOnly };
    return (await control<NewUploadView>('POST', '/control/uploads', json)).id;
  }

  async function sendTo(id: string, file: string): Promise<void> {
    const { inspectorUrl, token } = inspector.sandbox.emulator;
    const answer = await fetch(`${inspectorUrl}/control/uploads/${id}/file`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: file,
    });
    expect(answer.status).toBe(204);
  }

  async function upload(file: string, validateOnly = false): Promise<string> {
    const id = await initiate(validateOnly);
    await sendTo(id, file);
    await inspector.sandbox.emulator.deps.clock.advance(15_000);
    return id;
  }

  const move = (id: string, event: string): Promise<unknown> =>
    control('POST', `/control/records/uploads/${id}/moves`, { event });

  return {
    control,
    initiate,
    sendTo,
    upload,
    move,
    stateOf: (id: string): Upload['state'] | undefined => inspector.sandbox.emulator.deps.store.uploads.get(id)?.state,
    async saved(file: string): Promise<string> {
      const id = await upload(file);
      await move(id, 'checked');
      await move(id, 'save');
      return id;
    },
  };
}

export const chosen = (page: Page): Locator => page.getByRole('region', { name: 'The selected upload' });
export const diagram = (page: Page): Locator => page.getByRole('group', { name: 'States' });
export const press = (page: Page, verb: string): Promise<void> =>
  diagram(page).getByRole('button', { name: verb }).click();

/** Drops a file into the window. @param on a text of what it is dropped on */
export async function drop(page: Page, name: string, text: string, on = 'Drop an ndjson file here'): Promise<void> {
  await dropAll(page, { [name]: text }, on);
}

/** Drops files together. @param files name → text */
export async function dropAll(page: Page, files: { readonly [name: string]: string }, on: string): Promise<void> {
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer();
    for (const [name, body] of Object.entries(all)) data.items.add(new File([body], name));
    return data;
  }, files);
  const target = page.getByText(on).first();
  await target.dispatchEvent('dragover', { dataTransfer: transfer });
  await target.dispatchEvent('drop', { dataTransfer: transfer });
}
