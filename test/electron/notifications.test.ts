import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNotifier } from '../../electron/notifications.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const state = {
    wanted: true,
    shown: [] as { title: string; body: string; click: () => void }[],
    went: [] as string[],
  };
  const notifier = createNotifier({
    isWanted: () => state.wanted,
    show: (title, body, click) => state.shown.push({ title, body, click }),
    onClick: (route) => state.went.push(route),
  });
  const tell = (title: string) => notifier.tell({ title, body: `${title}.`, route: `/webhooks/${title}` });
  return { state, notifier, tell, texts: () => state.shown.map(({ title, body }) => `${title}: ${body}`) };
}

test('one notification per ten seconds is shown, and the others are grouped afterwards', () => {
  const { tell, texts } = setUp();
  tell('a');
  for (const title of ['b', 'c', 'c', 'd', 'e']) tell(title);
  expect(texts()).toEqual(['a: a.']);
  vi.advanceTimersByTime(9_999);
  expect(texts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual(['a: a.', '5 things happened: b\nc\nd\nand 1 more']);
});

test('a thousand in a minute are seven', () => {
  const { tell, texts } = setUp();
  for (let index = 0; index < 1_000; index += 1) {
    tell(String(index));
    vi.advanceTimersByTime(60);
  }
  vi.advanceTimersByTime(10_000);
  expect(texts().length).toBeLessThanOrEqual(8);
});

test('nothing is shown to a person who looks at the window, not even waiting notifications', () => {
  const { state, tell, texts } = setUp();
  state.wanted = false;
  expect(tell('a')).toBe(false);
  state.wanted = true;
  expect(tell('b')).toBe(true);
  tell('c');
  state.wanted = false;
  vi.advanceTimersByTime(10_000);
  expect(texts()).toEqual(['b: b.']);
});

test('a click opens the subject of the first in a group', () => {
  const { state, tell } = setUp();
  tell('a');
  tell('b');
  tell('c');
  vi.advanceTimersByTime(10_000);
  for (const { click } of state.shown) click();
  expect(state.went).toEqual(['/webhooks/a', '/webhooks/b']);
});

test('nothing is shown after the end', () => {
  const { notifier, tell, texts } = setUp();
  tell('a');
  tell('b');
  notifier.stop();
  vi.advanceTimersByTime(60_000);
  expect(texts()).toHaveLength(1);
});
