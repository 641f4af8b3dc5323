import { useStorage } from '@vueuse/core';
import { shallowRef, watch, type Ref } from 'vue';

// With cookies blocked, any access throws and the page does not start. The text in index.html says why.
try {
  localStorage.getItem('');
} catch {
  document.querySelector('.no-storage')?.removeAttribute('hidden');
}

/** A check whether a parsed value has the expected shape. */
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

/** Checks for an object whose values all have the shape. */
export function isMapOf<T>(isEach: Check<T>): Check<{ readonly [name: string]: T }> {
  return (value): value is { readonly [name: string]: T } => isObject(value) && Object.values(value).every(isEach);
}

/** Checks for an object with these fields. Further fields are allowed. */
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

/** Whether a value could not be kept because the browser's storage is full. The frame says so, once. */
export const isStorageFull = shallowRef(false);

/**
 * Writes a value under the name of a `useKept` at once, always as JSON, and notifies every reader of that name.
 * @returns whether there was room; if not, the previous value stays
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
  /** `sessionStorage` keeps the value for this tab only. */
  readonly storage?: Storage;
  /**
   * Whether changes in another window also apply here (the default). If false, each window has its own value, which
   * survives a reload. A new window starts with the value that any window wrote last.
   */
  readonly isShared?: boolean;
  /** Picks the part of the value that is written. Default: all of it. */
  readonly toWritten?: (value: T) => T;
}

/**
 * A value that the browser keeps under a name. Another version of Sandpiper may have written it: text that is not JSON
 * or has another shape counts as missing, and the next change overwrites it.
 * @param initial the value while nothing is kept
 */
export function useKept<T>(
  name: string,
  initial: T,
  is: Check<T>,
  { storage = localStorage, isShared = true, toWritten = (value) => value }: KeptOptions<T> = {},
): Ref<T> {
  // Text is stored as it is, without JSON.
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
      // Values are replaced, never changed in place, so a deep watch of a large one is not needed.
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
