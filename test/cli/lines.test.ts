import { WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import {
  createDeliveryTeller,
  toDeliveryLine,
  toRequestLine,
  toSeconds,
  type DeliveryFacts,
} from '../../emulator/commands/lines.ts';
import { stripVTControlCharacters } from 'node:util';
import { toPrintable } from '../../emulator/contract/printable.ts';
import { paint, paintLine, toDay, toScreen, wrap } from '../../emulator/commands/terminal.ts';

const plain = toScreen({}, {});
const knows = (): boolean => true;
const knowsNone = (): boolean => false;
/** As Node does in a process with an empty NO_COLOR. */
const asNode = (env: NodeJS.ProcessEnv = { TERM: 'xterm', NO_COLOR: '' }): boolean =>
  WriteStream.prototype.hasColors.call(WriteStream.prototype, 16, { TERM: 'xterm', ...env });
const terminal = { isTTY: true, columns: 80, hasColors: knows };

const request = {
  id: 'req_1',
  wallAt: '2026-01-31T12:00:00.000Z',
  method: 'POST',
  url: '/v1/subscriptions',
  status: 400,
  durationMs: 3.4,
  graphql: null,
  about: null,
  calledFrom: null,
  did: null,
  rule: 'subscriptions.phone-e164',
  failure: null,
  fault: null,
};

const attempt = (status: number | null, error: string | null) => ({
  at: '2026-01-31T12:00:00.000Z',
  wallAt: '2026-01-31T12:00:00.000Z',
  durationMs: 12,
  status,
  error,
});
const delivery: DeliveryFacts = {
  type: 'sms.sent',
  url: 'http://localhost:3000/hooks',
  state: 'queued',
  createdAt: '2026-01-31T12:00:00.000Z',
  nextAttemptAt: null,
  attemptCount: 0,
  attempts: [],
};
const withoutTime = (lines: readonly string[]) => lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));

test.for([
  ['a terminal', terminal, {}, true],
  ['a pipe', {}, {}, false],
  ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', { ...terminal, hasColors: asNode }, { NO_COLOR: '' }, true],
  ['a pipe with FORCE_COLOR', {}, { FORCE_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
  ['a terminal without colours', { ...terminal, hasColors: knowsNone }, {}, false],
] as const)('colours on %s', ([, output, env, colours]) => {
  expect(paint([['sent', 'green']], toScreen(output, env)).includes('\u001b')).toBe(colours);
});

test('a terminal that does not know its width has 80 columns', () => {
  expect(toScreen({ isTTY: true, columns: 0 }, {}).columns).toBe(80);
  expect(toScreen({ isTTY: true }, {}).columns).toBe(80);
});

test('control characters are escaped, with colours or without', () => {
  expect(paint([['\u001b[31mred', 'green']], toScreen(terminal, {}))).toBe('\u001b[32m\\x1b[31mred\u001b[39m');
});

test('text that was received begins no line of its own, and neither turns nor hides any', () => {
  const about = 'x\n09:00:00 200 POST /fake\r\t';
  expect(toRequestLine({ ...request, about }, null, plain)).toContain(' x\\x0a09:00:00 200 POST /fake\\x0d\\x09 ');
  const hidden = '\u202e\u2066\u200b\u2028\u061c\ufeff\u{e0041}';
  const written = '\\u202e\\u2066\\u200b\\u2028\\u061c\\ufeff\\u{e0041}';
  const letters = 'كتاب 👩‍💻 é\n\t';
  expect(toPrintable(hidden + letters)).toBe(written + letters);
  expect(toDeliveryLine({ ...delivery, type: 'a\nb', url: hidden }, plain)).toBe(`→ a\\x0ab queued ${written}`);
});

test('a line that is too long for the terminal is wrapped; in a pipe it stays one line', () => {
  const narrow = toRequestLine(request, 'http://127.0.0.1:4748', { colours: false, columns: 80 }).split('\n');
  expect(narrow).toHaveLength(2);
  for (const line of narrow) expect(line.length).toBeLessThanOrEqual(80);
  expect(toRequestLine(request, 'http://127.0.0.1:4748', plain)).not.toContain('\n');
});

test('a sentence that is wider than the terminal is wrapped between words, below its own column', () => {
  const at80 = { colours: false, columns: 80 };
  const list =
    'undo_13  2026-11-23 03:01:39 UTC  The snapshot "before" was restored. Undoing it also undoes everything since.';
  expect(wrap(list, at80)).toBe(
    [
      'undo_13  2026-11-23 03:01:39 UTC  The snapshot "before" was restored. Undoing it',
      `${' '.repeat(34)}also undoes everything since.`,
    ].join('\n'),
  );
  const sentence = 'sandpiper: '.padEnd(400, 'all of it is said in words ');
  const lines = wrap(sentence, at80).split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines.join(' ')).toBe(sentence);
  expect(wrap(sentence, plain)).toBe(sentence);
});

test('colours have no width, and a word that is wider than the terminal stays whole', () => {
  const screen = toScreen(terminal, {});
  const url = `http://localhost:3000/${'x'.repeat(90)}`;
  const line = paintLine(
    [['12:00:00 ', 'dim'], ['→ sms.sent']],
    [
      ['Nothing listens there. '.repeat(6), 'red'],
      [url, 'green'],
    ],
    screen,
  );
  const lines = line.split('\n').map(stripVTControlCharacters);
  expect(lines.at(-1)).toBe(`${' '.repeat(9)}${url}`);
  for (const one of lines.slice(0, -1)) expect(one.length).toBeLessThanOrEqual(80);
  expect(lines.slice(1).every((one) => one.startsWith(' '.repeat(9)))).toBe(true);
});

test('what fits a terminal to the last column is not wrapped', () => {
  expect(wrap('x'.repeat(40).padEnd(80, ' y'), { columns: 80 })).not.toContain('\n');
});

test('a moment is printed to the second, also one after the year 9999', () => {
  expect(toSeconds('2026-01-31T12:00:00.123Z')).toBe('2026-01-31 12:00:00 UTC');
  expect(toSeconds('+010000-01-31T12:00:00.123Z')).toBe('+010000-01-31 12:00:00 UTC');
});

test('an accepted request has no link, one without a reply says why', () => {
  const accepted = toRequestLine({ ...request, status: 202, rule: null }, 'http://localhost', plain);
  expect(accepted).toMatch(/202 POST \/subscriptions {2}3 ms$/);
  const told = { ...request, status: 202, rule: null, about: '+15555550123', did: 'subscribed to MARKETING by text' };
  expect(toRequestLine(told, 'http://localhost', plain)).toMatch(
    /202 POST \/subscriptions {2}\+15555550123 subscribed to MARKETING by text {2}3 ms$/,
  );
  const cut = toRequestLine(
    { ...request, status: null, rule: null, failure: 'The client went away.' },
    'http://l',
    plain,
  );
  expect(cut).toMatch(/--- POST \/subscriptions {2}The client went away\. → http:\/\/l\/#\/requests\/req_1$/);
});

test('a line of a list names its day if that is not today, in the zone of this machine', () => {
  const today = toDay(new Date(request.wallAt));
  const time = new Date(request.wallAt).toTimeString().slice(0, 8);
  expect(toRequestLine(request, null, { ...plain, today })).toMatch(new RegExp(`^${time} 400 `));
  const later = { ...plain, today: '2026-02-07' };
  expect(toRequestLine(request, null, later)).toMatch(new RegExp(`^${today} ${time} 400 `));
  const retrying = { ...delivery, state: 'retrying', attemptCount: 1, attempts: [attempt(500, null)] } as const;
  expect(toDeliveryLine(retrying, later)).toMatch(new RegExp(`^${today} ${time} → sms\\.sent retrying 500 `));
});

test('the next attempt is told by its distance, as the clock of the emulator may show another time', () => {
  const attempts = [{ ...attempt(500, 'It answered 500.'), wallAt: '2026-03-01T00:00:00.000Z' }];
  const nextAttemptAt = '2026-01-31T12:05:00.040Z';
  const retrying = { ...delivery, state: 'retrying', attemptCount: 1, attempts, nextAttemptAt } as const;
  expect(toDeliveryLine(retrying, plain)).toMatch(/ {2}It answered 500\. {2}next attempt 5m later$/);
});

test('each attempt of a delivery is printed once, however late it is read', () => {
  const tell = createDeliveryTeller(plain);
  expect(tell('dlv_1', delivery)).toEqual([]);
  expect(tell('dlv_1', { ...delivery, state: 'delivering' })).toEqual([]);
  const failed = attempt(500, 'It answered 500.');
  const retrying = { ...delivery, state: 'retrying', attemptCount: 1, attempts: [failed] } as const;
  expect(withoutTime(tell('dlv_1', retrying))).toEqual([
    '→ sms.sent retrying 500 http://localhost:3000/hooks  It answered 500.',
  ]);
  expect(tell('dlv_1', retrying)).toEqual([]);
  const late = {
    ...delivery,
    state: 'delivered',
    attemptCount: 3,
    attempts: [failed, failed, attempt(200, null)],
  } as const;
  expect(withoutTime(tell('dlv_1', late))).toEqual([
    '→ sms.sent retrying 500 http://localhost:3000/hooks  It answered 500.',
    '→ sms.sent delivered 200 http://localhost:3000/hooks  12 ms',
  ]);
  expect(tell('dlv_1', { ...late, state: 'queued' })).toEqual([]);
});

test('an attempt that is read during the next one is printed without the state', () => {
  const tell = createDeliveryTeller(plain);
  const again = { ...delivery, state: 'delivering', attemptCount: 1, attempts: [attempt(200, null)] } as const;
  expect(withoutTime(tell('dlv_1', again))).toEqual(['→ sms.sent delivered 200 http://localhost:3000/hooks  12 ms']);
});

test('a delivery that is paused without an attempt is printed once', () => {
  const tell = createDeliveryTeller(plain);
  expect(tell('dlv_1', { ...delivery, state: 'paused' })).toEqual(['→ sms.sent paused http://localhost:3000/hooks']);
  expect(tell('dlv_1', { ...delivery, state: 'paused' })).toEqual([]);
});

test('after a reset, which issues the same ids again, the new deliveries are printed, too', () => {
  const tell = createDeliveryTeller(plain);
  const delivered = { ...delivery, state: 'delivered', attemptCount: 1, attempts: [attempt(200, null)] } as const;
  expect(tell('dlv_1', delivered)).toHaveLength(1);
  const later = { ...attempt(200, null), wallAt: '2026-01-31T12:00:09.000Z' };
  expect(tell('dlv_1', { ...delivered, attempts: [later] })).toHaveLength(1);
  expect(tell('dlv_1', { ...delivered, attempts: [later] })).toEqual([]);
  const paused = { ...delivery, state: 'paused', createdAt: '2026-02-01T12:00:00.000Z' } as const;
  expect(tell('dlv_2', { ...paused, createdAt: delivery.createdAt })).toHaveLength(1);
  expect(tell('dlv_2', paused)).toHaveLength(1);
  expect(tell('dlv_2', paused)).toEqual([]);
});

test('an attempt that a rewind took back and that is made again is printed again, the one before it is not', () => {
  const tell = createDeliveryTeller(plain);
  const failed = (second: number) => ({
    ...attempt(500, 'It answered 500.'),
    wallAt: `2026-01-31T12:00:0${second}.000Z`,
  });
  const after = (...seconds: readonly number[]): DeliveryFacts => ({
    ...delivery,
    state: 'retrying',
    attemptCount: seconds.length,
    attempts: seconds.map(failed),
  });
  expect(tell('dlv_1', after(1, 2))).toHaveLength(2);
  expect(tell('dlv_1', after(1, 3))).toHaveLength(1);
  expect(tell('dlv_1', after(1, 3, 4))).toHaveLength(1);
});

test('of a delivery with more attempts than are kept, only the new ones are printed', () => {
  const tell = createDeliveryTeller(plain);
  const kept = {
    ...delivery,
    state: 'retrying',
    attempts: Array.from({ length: 30 }, () => attempt(500, 'No.')),
  } as const;
  expect(tell('dlv_1', { ...kept, attemptCount: 40 })).toHaveLength(30);
  expect(tell('dlv_1', { ...kept, attemptCount: 42 })).toHaveLength(2);
});
