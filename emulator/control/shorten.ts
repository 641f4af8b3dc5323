import { cutText } from '../contract/cut-text.ts';

/** A text as a part of one line, cut where it is longer than `length`. */
export function shorten(text: string, length: number): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), length);
}
