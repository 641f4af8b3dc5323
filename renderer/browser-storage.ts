import { useStorage } from '@vueuse/core';
import { shallowRef, watch, type Ref } from 'vue';

// With cookies blocked, a use throws, and the page does not start: index.html has the text that says why.
try {
  localStorage.getItem('');
} catch {
  document.querySelector('.no-storage')?.removeAttribute('hidden');
}

/** Whether a value that was read has the shape. */
export type Check<T> = (value: unknown) => value is T;

export const isText: Check<string> = (value) => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';

export function isOneOf<T extends string>(choices: readonly T[]): Check<T> {
  return (value): value is T => choices.some((one) => one === value);
}

export function isListOf<T>(isEach: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(isEach);
}

/** An object whose values all have the shape. */
export function isMapOf<T>(isEach: Check<T>): Check<{ readonly [name: string]: T }> {
  return (value): value is { readonly [name: string]: T } => isObject(value) && Object.values(value).every(isEach);
}

/** An object with these fields; it may have others, too. */
export function isWith<T extends object>(fields: { readonly [name in keyof T]: Check<T[name]> }): Check<T> {
  return (value): value is T =>
    isObject(value) && Object.entries<Check<unknown>>(fields).every(([name, is]) => is(value[name]));
}

export function isOrNull<T>(is: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || is(value);
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether something could not be kept, as the browser's storage is full. The frame says so, once. */
export const isStorageFull = shallowRef(false);

/**
 * Keeps at once what `useKept` has under a name, not as text, and tells all that have it.
 * @returns whether there is room for it; else what was kept before stays
 */
export function keepNow(name: string, value: object): boolean {
  const newValue = JSON.stringify(value);
  try {
    localStorage.setItem(name, newValue);
  } catch {
    return false;
  }
  window.dispatchEvent(new StorageEvent('storage', { key: name, newValue, storageArea: localStorage }));
  return true;
}

export interface KeptOptions<T> {
  /** `sessionStorage` keeps it for this tab only. */
  readonly storage?: Storage;
  /**
   * Whether a change in another window changes it here; it does unless this is false. Then each window has its own, also
   * over a reload, and a new one starts with what any of them wrote last.
   */
  readonly isShared?: boolean;
  /** What is written of it; all if left out. */
  readonly toWritten?: (value: T) => T;
}

/**
 * What the browser keeps under a name. Another version of Sandpiper may have written it: what is not JSON, or has
 * another shape, counts as nothing, and the next change replaces it.
 * @param initial its value while nothing is kept
 */
export function useKept<T>(
  name: string,
  initial: T,
  is: Check<T>,
  { storage = localStorage, isShared = true, toWritten = (value) => value }: KeptOptions<T> = {},
): Ref<T> {
  // Text is kept as it is.
  const isPlain = typeof initial === 'string';
  function read(text: string): T {
    try {
      const value: unknown = isPlain ? text : JSON.parse(text);
      return is(value) ? value : initial;
    } catch {
      return initial;
    }
  }
  const write = (value: T): string => (isPlain ? String(value) : JSON.stringify(toWritten(value)));
  const keep = (from: T, where: Storage): Ref<T> =>
    useStorage<T>(name, from, where, {
      // A value is replaced, never changed: none is watched inside, however large it is.
      shallow: true,
      deep: false,
      listenToStorageChanges: isShared,
      serializer: { read, write },
      onError: () => (isStorageFull.value = true),
    });
  const kept = keep(initial, storage);
  if (isShared) return kept;
  const own = keep(kept.value, sessionStorage);
  watch(own, (value) => (kept.value = value));
  return own;
}
