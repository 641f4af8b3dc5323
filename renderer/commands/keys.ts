import { useEventListener } from '@vueuse/core';
import { nextTick, onBeforeUnmount, onMounted, watch } from 'vue';
import { isListOf, isMapOf, isText, useKept } from '../browser-storage.ts';
import { toPressed } from './chords.ts';
import { keepKey, pressKept } from './kept-keys.ts';
import { everywhere, goTo, keyTable, lists, type KeyRow } from './key-table.ts';

export { keyTable } from './key-table.ts';

/**
 * Handlers by the name of a row of the key table (`list.next`), or by a fixed key in the notation of
 * `KeyboardEvent.key`; `Mod+` is Ctrl or Cmd. A handler that returns `false` had nothing to do: the key keeps its
 * default action.
 */
export interface Keys {
  readonly [nameOrKey: string]: (event: KeyboardEvent) => unknown;
}

/** The keys that the person chose instead of the table's: row name → keys. */
const chosen = useKept<{ readonly [name: string]: readonly string[] }>('sandpiper.keys', {}, isMapOf(isListOf(isText)));
const byName = new Map(keyTable.map((row) => [row.name, row]));

/** The current keys of a row of the table; reactive. */
export function keysOf(name: string): readonly string[] {
  return chosen.value[name] ?? byName.get(name)?.keys ?? [];
}

/** Whether the person changed the keys of this row. */
export function isRebound(name: string): boolean {
  return chosen.value[name] !== undefined;
}

/**
 * Binds a row to other keys, or to none if `keys` is empty.
 * @returns why it cannot, as a sentence; null on success
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
 * Resets the keys of one row to those of the table.
 * @returns why it cannot, as a sentence; null on success
 */
export function resetKeys(name: string): string | null {
  const problem = setKeys(name, byName.get(name)?.keys ?? []);
  if (problem === null) chosen.value = Object.fromEntries(Object.entries(chosen.value).filter(([one]) => one !== name));
  return problem;
}

/** Resets the keys of all rows to those of the table. */
export function resetAllKeys(): void {
  chosen.value = {};
}

/** The key of an event in the notation of the table; null while only a modifier is down. */
export function readKey(event: KeyboardEvent): string | null {
  if (['Control', 'Meta', 'Shift', 'Alt', 'AltGraph', 'Dead'].includes(event.key)) return null;
  // A Cyrillic or Greek keyboard has its keys in the same places as a Latin one, so use the place.
  const [, latin] = /^(?!\p{Script=Latin})\p{L}$/u.test(event.key) ? (/^Key([A-Z])$/.exec(event.code) ?? []) : [];
  const pressed = latin ?? event.key;
  // Normalize the case: Cmd on a Mac, and Caps Lock, give a small letter with Shift.
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

/** The parts of a key as keyboards label them: `Mod+k` is `Ctrl` `K`, or `⌘` `K`; `g r` is `G` `R`. */
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

/** The label on a button for the first key of a row, or for a fixed key: `Ctrl K`; '' for none. Reactive. */
export function keyHint(nameOrKey: string): string {
  const key = firstKey(nameOrKey);
  // A button has little room.
  const short = (part: string): string => (part === 'Enter' ? '⏎' : part);
  return key === '' ? '' : toKeyParts(key).map(short).join(' ');
}

/**
 * The value of `aria-keyshortcuts` for the same key: `Control+K`, or `Meta+K` on a keyboard with ⌘. Undefined without
 * a key, and for a chord, which the attribute cannot express. Reactive.
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

/** The actions that repeat while their key is held. All others run once per press, because they may send a request. */
const whileHeld: ReadonlySet<string> = new Set(['list.next', 'list.previous']);

/**
 * Called once, by the frame: a held Enter presses a button or sends a form only once. It repeats in a text and in a
 * search field, but only if it was pressed there, not in a field that it opened.
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
 * Listens for keys while the component is mounted. Keys without Ctrl or Cmd do nothing while typing. No key acts behind
 * an open menu, popover, dialog or the palette. Letters of a view that change something act only with the focus in
 * their pane.
 * @param isReady whether the target of the keys is there; until then they are kept, and act once it is
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

/** Whether a key belongs to views, not to the frame, and the focused element does not need it. */
export function isKeyOfViews(event: KeyboardEvent): boolean {
  const pressed = readKey(event);
  const key = pressed === null ? null : toPressed(event, pressed);
  if (key === null || event.altKey || event.isComposing) return false;
  const row = keyTable.find(({ name, group }) => group !== everywhere && group !== goTo && keysOf(name).includes(key));
  return row !== undefined && !isBlocked(event, key, row);
}

/** Whether a key begins a chord, and the focused element does not need it. */
export function beginsChord(event: KeyboardEvent, key: string): boolean {
  if (event.defaultPrevented || event.altKey || event.isComposing || isBlocked(event, key, undefined)) return false;
  return keyTable.some(({ name }) => keysOf(name).some((one) => toChord(one)?.[0] === key));
}

const toChord = (key: string): readonly [string, string] | null => {
  const [, first, second] = /^(\S+) (\S+)$/.exec(key) ?? [];
  return first !== undefined && second !== undefined ? [first, second] : null;
};

/** Whether two keys exclude each other: they are the same, or one begins the other. */
const clash = (one: string, other: string): boolean =>
  one === other || toChord(one)?.[0] === other || toChord(other)?.[0] === one;

function isBlocked(event: KeyboardEvent, key: string, row: KeyRow | undefined): boolean {
  // Outside a shadow root (the editor), `target` names only the host.
  const [target = null] = event.composedPath();
  const needsRest = row ? !(row.whileTyping && key.startsWith('Mod+')) : !key.startsWith('Mod+');
  const isOffered = row?.name === 'undo' && isUndoOffered();
  if (needsRest && (isTyping(target) || (isInPopover(target) && !isOffered))) return true;
  // An open menu or dialog gets all keys, even if its button has the focus. Only two pass: the palette's own, to close
  // it, and the undo of what was done in a popover.
  if (document.querySelector('dialog[open], :is([role="menu"], [role="dialog"])[data-state="open"]'))
    return !isOffered && (row?.name !== 'palette' || document.querySelector('.palette') === null);
  if (row && !key.startsWith('Mod+') && !isAtHome(target, row)) return true;
  // Enter and Space belong to the control that has the focus.
  return (key === 'Enter' || key === ' ') && isControl(target);
}

/**
 * Whether the focus is where a key may act: outside the bars for keys of a view, inside their pane for keys that change
 * something.
 */
function isAtHome(target: EventTarget | null, { group, within }: KeyRow): boolean {
  if ([everywhere, goTo, lists].includes(group)) return true;
  const focus = target instanceof Element ? target : document.body;
  if (within !== null) return focus.closest(within) !== null;
  // Right after a navigation, the focus may still be on the link that led here.
  return focus === document.body || focus.closest('main, .sidebar') !== null;
}

/** Whether the keys of two rows can be active at once. */
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

/** Whether a toast shows the key of its undo, with nothing over it but a popover. */
function isUndoOffered(): boolean {
  const isOver = document.querySelector('dialog[open], [role="menu"][data-state="open"]') !== null;
  return !isOver && document.querySelector('.toast [aria-keyshortcuts]') !== null;
}

function isInPopover(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="menu"], [role="dialog"], [role="listbox"]') !== null;
}

function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('button, a, summary, [role="tab"], [role="button"], label') !== null
  );
}
