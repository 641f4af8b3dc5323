/** Runs with a limit on file size, which interrupts a write like a full disk. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../emulator/store/store.ts';

const [folder = '', limit = ''] = process.argv.slice(2);
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
const now = (): number => 1_795_185_509_000;
const store = await openStore({ dataDir: folder, now });
const put = (id: string, value: string): void => void store.transact(() => store.settings.put({ id, value }));

put('pad', '');
await store.snapshot();
const room = Number(limit) - readFileSync(join(folder, 'state.json')).length;

let written: unknown = null;
try {
  put('large', 'x'.repeat(Number(limit)));
} catch (error) {
  written = codeOf(error);
}
put('pad', 'x'.repeat(room - 70));
put('small', '');
await store.snapshot();
const short = Number(limit) - readFileSync(join(folder, 'state.json')).length;
put('pad', 'x'.repeat(room - 70 + short + 2));
let saved: unknown = null;
try {
  await store.snapshot();
} catch (error) {
  saved = codeOf(error);
}
const copy = `${folder}-copy`;
cpSync(folder, copy, { recursive: true });
rmSync(join(copy, 'lock'));
const opened = await openStore({ dataDir: copy, now });
const whole = String(opened.settings.get('pad')?.value).length === room - 70 + short + 2;
process.stdout.write(
  JSON.stringify({
    saved,
    written,
    after: whole ? [...opened.settings.all()].map(({ id }) => id) : 'the newest value is lost',
    notices: opened.notices,
  }),
);
process.exit(0);
