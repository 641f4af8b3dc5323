import { isWebUrl } from '../contract/url.ts';
import type { Urls } from '../net/urls.ts';
import { randomSecret } from '../ids.ts';
import type { ShortLink } from '../records.ts';
import type { Store } from '../store/store.ts';

/** Section 8: URL length that can be shortened. */
export const shortenable = 1_024;

/** The owner of the link. */
export interface LinkOwner {
  readonly companyId: string;
  readonly userId: string;
  readonly messageId: string | null;
  readonly eventId: string | null;
}

export interface Shortened {
  readonly text: string;
  readonly links: readonly ShortLink[];
}

/** Makes short links. Every function runs inside its caller's transaction; `at` is an ISO time. */
export interface Links {
  /** The short link of an http(s) URL; null if the text is not one, or has more than 1,024 characters. */
  shorten(url: string, owner: LinkOwner, at: string): ShortLink | null;
  /** A plain text with its http(s) URLs shortened. */
  shortenText(text: string, owner: LinkOwner, at: string): Shortened;
  /** HTML with its `<a href>` URLs shortened; images and visible text stay as they are. */
  shortenHtml(html: string, owner: LinkOwner, at: string): Shortened;
  /**
   * Shortens the URLs in values at any depth, which the specification calls "URL values" (section 2.5). Returns the
   * short URL of each value, and the places of the URLs that are too long.
   */
  shortenValues(
    values: unknown,
    owner: LinkOwner,
    at: string,
  ): { readonly shortened: { readonly [url: string]: string }; readonly tooLong: readonly string[] };
  toUrl(link: ShortLink): string;
}

/**
 * A URL ends at white space, at a character that no URL has, or at a closing mark of another script. It may have an
 * apostrophe.
 */
const urlsInText = /https?:\/\/[^\s<>"`\\^{}|“”„‟‘’‚«»‹›「」『』（）【】。、，！？；：…]+/gi;
const anchors = /<a\s(?:"[^"]*"|'[^']*'|[^"'<>])*>/gi;
const attributes = /([^\s"'<>/=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>`]+)/g;

/** Creates the shortener. Ids are random, because nothing else protects a link. */
export function createLinks({ store, urls }: { store: Store; urls: Urls }): Links {
  const prefix = (): string => `${urls.auth}/l/`;
  const toUrl = (link: ShortLink): string => prefix() + link.id;

  /** A short link that is shortened again gets the same target: clicks report the original URL. */
  const toOriginal = (url: string, { companyId }: LinkOwner): string => {
    const known = url.startsWith(prefix()) ? store.shortLinks.get(url.slice(prefix().length)) : undefined;
    return known?.companyId === companyId ? known.url : url;
  };

  const shorten: Links['shorten'] = (sent, owner, at) => {
    const url = toOriginal(sent, owner);
    if (isTooLong(url) || !isWebUrl(url)) return null;
    return store.shortLinks.put({ id: randomSecret(6), ...owner, url, clicks: 0, createdAt: at });
  };

  return {
    toUrl,
    shorten,
    shortenText(text, owner, at) {
      if (!text.includes('://')) return { text, links: [] };
      const links: ShortLink[] = [];
      const shortened = text.replaceAll(urlsInText, (found) => {
        const url = withoutPunctuation(found);
        const link = shorten(url, owner, at);
        if (!link) return found;
        links.push(link);
        return toUrl(link) + found.slice(url.length);
      });
      return { text: shortened, links };
    },
    shortenHtml(html, owner, at) {
      const links: ShortLink[] = [];
      const shortenTag = (tag: string): string => {
        const href = [...tag.matchAll(attributes)].find(([, name]) => name?.toLowerCase() === 'href');
        if (!href) return tag;
        const [found, name = '', equals = '', value = ''] = href;
        const link = shorten(toText(value.replace(/^(["'])(.*)\1$/s, '$2')).trim(), owner, at);
        if (!link) return tag;
        links.push(link);
        const end = href.index + found.length;
        return `${tag.slice(0, href.index)}${name}${equals}"${toUrl(link)}"${tag.slice(end)}`;
      };
      return { text: html.replaceAll(anchors, shortenTag), links };
    },
    shortenValues(values, owner, at) {
      const shortened = new Map<string, string>();
      const tooLong: string[] = [];
      for (const { value, place } of urlsAmong(values)) {
        if (shortened.has(value)) continue;
        const url = value.trim();
        if (isTooLong(url)) tooLong.push(place);
        const link = shorten(url, owner, at);
        if (link) shortened.set(value, toUrl(link));
      }
      return { shortened: Object.fromEntries(shortened), tooLong };
    },
  };
}

function isTooLong(url: string): boolean {
  return url.length > shortenable && [...url].length > shortenable;
}

/** Decodes the entities that a URL needs in the value of an attribute. */
function toText(value: string): string {
  return value.replaceAll(
    /&(?:(amp|quot|apos|lt|gt)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (found, name?: string, decimal?: string, hexadecimal?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? found;
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : found;
    },
  );
}

const entities: { readonly [name: string]: string } = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

/** A URL in a sentence ends before the sentence's punctuation, and before a closing bracket without an opening one. */
function withoutPunctuation(url: string): string {
  const count = (character: string): number => url.split(character).length - 1;
  const unopened: { [bracket: string]: number } = { ')': count(')') - count('('), ']': count(']') - count('[') };
  let end = url.length;
  for (; end > 0; end -= 1) {
    const last = url[end - 1] ?? '';
    const extra = unopened[last];
    if (extra === undefined ? !".,;:!?'".includes(last) : extra <= 0) break;
    if (extra !== undefined) unopened[last] = extra - 1;
  }
  return url.slice(0, end);
}

/** A value that is a URL, perhaps between white space, and the path of names that leads to it. */
interface UrlAt {
  readonly value: string;
  readonly place: string;
}

function urlsAmong(value: unknown): readonly UrlAt[] {
  const found: UrlAt[] = [];
  const look = (inner: unknown, place: string): void => {
    if (typeof inner === 'string') {
      const url = inner.trim();
      if (isWebUrl(url) && !/\s/.test(url)) found.push({ value: inner, place });
    } else if (inner !== null && typeof inner === 'object') {
      const members = inner as { readonly [name: string]: unknown };
      for (const name of Object.keys(members)) look(members[name], place === '' ? name : `${place}.${name}`);
    }
  };
  look(value, '');
  return found;
}
