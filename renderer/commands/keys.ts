import { useEventListener } from '@vueuse/core';
import { nextTick, onBeforeUnmount, onMounted, watch } from 'vue';
import { isListOf, isMapOf, isText, useKept } from '../browser-storage.ts';
import { toPressed } from './chords.ts';
import { keepKey, pressKept } from './kept-keys.ts';
import { everywhere, goTo, keyTable, lists, type KeyRow } from './key-table.ts';

export { keyTable } from './key-table.ts';

/**
 * What to do by the name of a row of the key table (`list.next`), or by a key that cannot be changed, as
 * `KeyboardEvent.key` names it; `Mod+` is Ctrl or Cmd. One that answers `false` had nothing to do: the key goes on.
 */
export interface Keys {
  readonly [nameOrKey: string]: (event: KeyboardEvent) => unknown;
}

/** What the person bound instead of the table's keys: row name → keys. */
const chosen = useKept<{ readonly [name: string]: readonly string[] }>('sandpiper.keys', {}, isMapOf(isListOf(isText)));
const byName = new Map(keyTable.map((row) => [row.name, row]));

/** The keys of a row of the table, as they are bound now; reactive. */
export function keysOf(name: string): readonly string[] {
  return chosen.value[name] ?? byName.get(name)?.keys ?? [];
}

/** Whether the person changed the keys of this row. */
export function isRebound(name: string): boolean {
  return chosen.value[name] !== undefined;
}

/**
 * Binds a row to other keys; to none if `keys` is empty.
 * @returns why not, as a sentence; null if it is done
 */
export function setKeys(name: string, keys: readonly string[]): string | null {
  const row = byName.get(name);
  if (!row) return `There is no key for "${name}".`;
  for (const key of keys) {
    if (!isBindable(key))
      return `${toKeyParts(key).join(' ')} cannot be used: the browser or the keyboard focus needs it.`;
    const taken = keyTable.find(
      (other) => other !== row && meets(other, row) && keysOf(other.name).some((theirs) => clash(key, theirs)),
    );
    if (taken && !keysOf(taken.name).includes(key))
      return `${toKeyParts(key).join(' ')} begins other keys: ${taken.does}.`;
    if (taken) return `${toKeyParts(key).join(' ')} is already used: ${taken.does}.`;
  }
  chosen.value = { ...chosen.value, [name]: keys };
  return null;
}

/**
 * Back to the table's keys, of one row.
 * @returns why not, as a sentence; null if it is done
 */
export function resetKeys(name: string): string | null {
  const problem = setKeys(name, byName.get(name)?.keys ?? []);
  if (problem === null) chosen.value = Object.fromEntries(Object.entries(chosen.value).filter(([one]) => one !== name));
  return problem;
}

/** Back to the table's keys, of all rows. */
export function resetAllKeys(): void {
  chosen.value = {};
}

/** The key of an event in the words of the table; null while only a modifier is down. */
export function readKey(event: KeyboardEvent): string | null {
  if (['Control', 'Meta', 'Shift', 'Alt', 'AltGraph', 'Dead'].includes(event.key)) return null;
  // A keyboard that writes Cyrillic or Greek has the keys where they are on one that writes Latin letters.
  const [, latin] = /^(?!\p{Script=Latin})\p{L}$/u.test(event.key) ? (/^Key([A-Z])$/.exec(event.code) ?? []) : [];
  const pressed = latin ?? event.key;
  // With ⌘ on a Mac, and with Caps Lock, the letter of Shift is small.
  const key = event.shiftKey ? toUpper(pressed) : pressed.length === 1 ? pressed.toLowerCase() : pressed;
  return `${event.ctrlKey || event.metaKey ? 'Mod+' : ''}${key}`;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const faces: { readonly [part: string]: string } = {
  Mod: isApple ? '⌘' : 'Ctrl',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
};

/** A key as it is written on keyboards, part by part: `Mod+k` is `Ctrl` `K`, or `⌘` `K`; `g r` is `G` `R`. */
export function toKeyParts(key: string): readonly string[] {
  const chord = toChord(key);
  if (chord) return chord.flatMap(toKeyParts);
  return toParts(key).map((part) => faces[part] ?? toUpper(part));
}

function toParts(key: string): readonly string[] {
  const mod = /^Mod\+(.+)$/su.exec(key);
  return (mod ? ['Mod', mod[1] ?? ''] : [key]).flatMap((part) => (/^\p{Lu}$/u.test(part) ? ['Shift', part] : [part]));
}

const toUpper = (part: string): string => (part.length === 1 ? part.toUpperCase() : part);

/** The first key of a row, or a key that cannot be changed, as a button shows it: `Ctrl K`; '' for none. Reactive. */
export function keyHint(nameOrKey: string): string {
  const key = firstKey(nameOrKey);
  // On a button there is little room.
  const short = (part: string): string => (part === 'Enter' ? '⏎' : part);
  return key === '' ? '' : toKeyParts(key).map(short).join(' ');
}

/**
 * The same for `aria-keyshortcuts`: `Control+K`, or `Meta+K` on a keyboard with ⌘; undefined for none, and for two keys one
 * after the other, which the attribute cannot say. Reactive.
 */
export function ariaKeys(nameOrKey: string): string | undefined {
  const key = firstKey(nameOrKey);
  if (key === '' || toChord(key)) return undefined;
  return toParts(key)
    .map((part) => (part === 'Mod' ? (isApple ? 'Meta' : 'Control') : part === ' ' ? 'Space' : toUpper(part)))
    .join('+');
}

function firstKey(nameOrKey: string): string {
  return byName.has(nameOrKey) ? (keysOf(nameOrKey)[0] ?? '') : nameOrKey;
}

/** What goes on while its key is held. All else is done once for each press: it may send a request. */
const whileHeld: ReadonlySet<string> = new Set(['list.next', 'list.previous']);

/**
 * For the frame, once: an Enter that is held presses a button, and sends a form, once. In a text it goes on, and in a search, if it was
 * pressed there: not in one that it opened.
 */
export function useHeldEnter(): void {
  let pressedIn: EventTarget | null = null;
  useEventListener(
    window,
    'keydown',
    (event) => {
      if (event.key !== 'Enter') return;
      const [target = null] = event.composedPath();
      if (!event.repeat) return void (pressedIn = target);
      const isText =
        target instanceof HTMLInputElement
          ? target.form === null
          : target instanceof HTMLElement && (target.isContentEditable || target.tagName === 'TEXTAREA');
      if (isText && target === pressedIn && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}

/**
 * Listens for keys while the component is there. Keys without Ctrl or Cmd do nothing while typing; none does anything
 * behind an open menu, popover or dialog, or behind the palette. Letters of a view that change something act only with
 * the focus in their pane.
 * @param isReady whether what the keys act on is there; until then they are kept, and act once it is
 */
export function useKeys(keys: Keys | (() => Keys), isReady: () => boolean = () => true): void {
  const hear = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const pressed = readKey(event);
    const key = pressed === null ? null : toPressed(event, pressed);
    if (key === null) return;
    for (const [nameOrKey, act] of Object.entries(typeof keys === 'function' ? keys() : keys)) {
      const row = byName.get(nameOrKey);
      if (!(row ? keysOf(nameOrKey).includes(key) : nameOrKey === key)) continue;
      if (isBlocked(event, key, row)) return;
      if (event.repeat && !whileHeld.has(nameOrKey)) return event.preventDefault();
      if (!isReady()) return keepKey(event);
      if (act(event) !== false) event.preventDefault();
      return;
    }
  };
  onMounted(() => document.addEventListener('keydown', hear));
  onBeforeUnmount(() => document.removeEventListener('keydown', hear));
  watch(isReady, (ready) => ready && void nextTick(pressKept));
}

/** Whether it is a key of views, not of the frame, and nothing that has the focus needs it. */
export function isKeyOfViews(event: KeyboardEvent): boolean {
  const pressed = readKey(event);
  const key = pressed === null ? null : toPressed(event, pressed);
  if (key === null || event.altKey || event.isComposing) return false;
  const row = keyTable.find(({ name, group }) => group !== everywhere && group !== goTo && keysOf(name).includes(key));
  return row !== undefined && !isBlocked(event, key, row);
}

/** Whether a key is the first one of a chord, and nothing that has the focus needs it. */
export function beginsChord(event: KeyboardEvent, key: string): boolean {
  if (event.defaultPrevented || event.altKey || event.isComposing || isBlocked(event, key, undefined)) return false;
  return keyTable.some(({ name }) => keysOf(name).some((one) => toChord(one)?.[0] === key));
}

const toChord = (key: string): readonly [string, string] | null => {
  const [, first, second] = /^(\S+) (\S+)$/.exec(key) ?? [];
  return first !== undefined && second !== undefined ? [first, second] : null;
};

/** Whether two keys cannot both be used: they are the same, or one begins the other. */
const clash = (one: string, other: string): boolean =>
  one === other || toChord(one)?.[0] === other || toChord(other)?.[0] === one;

function isBlocked(event: KeyboardEvent, key: string, row: KeyRow | undefined): boolean {
  // Behind a shadow root (the editor) `target` names only the host.
  const [target = null] = event.composedPath();
  const needsRest = row ? !(row.whileTyping && key.startsWith('Mod+')) : !key.startsWith('Mod+');
  if (needsRest && (isTyping(target) || isInPopover(target))) return true;
  // An open menu or dialog gets all keys, even if its button has the focus; the palette's own key closes it.
  if (document.querySelector('dialog[open], :is([role="menu"], [role="dialog"])[data-state="open"]'))
    return row?.name !== 'palette' || document.querySelector('.palette') === null;
  if (row && !key.startsWith('Mod+') && !isAtHome(target, row)) return true;
  // Enter and Space belong to the control that has the focus.
  return (key === 'Enter' || key === ' ') && isControl(target);
}

/** Whether the focus is where a key belongs: keys of a view outside the bars, keys that change something inside their pane. */
function isAtHome(target: EventTarget | null, { group, within }: KeyRow): boolean {
  if ([everywhere, goTo, lists].includes(group)) return true;
  const focus = target instanceof Element ? target : document.body;
  if (within !== null) return focus.closest(within) !== null;
  // The link that led to the view is not left yet.
  return focus === document.body || focus.closest('main, .sidebar') !== null;
}

/** Whether two rows can be active at once. */
function meets(one: KeyRow, other: KeyRow): boolean {
  const wide = [everywhere, goTo, lists];
  return one.group === other.group || wide.includes(one.group) || wide.includes(other.group);
}

function isBindable(key: string): boolean {
  return !/^(?:Tab|Mod\+[wtnqrclvax])$/.test(key);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function isInPopover(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="menu"], [role="dialog"], [role="listbox"]') !== null;
}

function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('button, a, summary, [role="tab"], [role="button"], label') !== null
  );
}
