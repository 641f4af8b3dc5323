import { cutText, quote } from '../contract/cut-text.ts';

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Puts a text on one line, cut if it is longer than `length`. */
export const shorten = (text: string, length: number): string => cutText(inOneLine(text), length);

/** The same between quotation marks. */
export const shortQuote = (text: string, length: number): string => quote(inOneLine(text), length);
