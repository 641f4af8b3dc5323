import type { Urls } from '../deps.ts';
import { randomSecret } from '../ids.ts';
import type { ShortLink } from '../records.ts';
import type { Store } from '../store/store.ts';

/** Section 8: URL length that can be shortened. */
export const shortenable = 1_024;

/** Whose link it is. */
export interface LinkOwner {
  readonly companyId: string;
  readonly userId: string;
  readonly messageId: string | null;
  readonly eventId: string | null;
}

/** Makes and finds short links. */
export interface Links {
  /** The short URL of an http(s) URL; the URL itself where it has more than 1,024 characters. Inside a transaction. */
  shorten(url: string, owner: LinkOwner, at: string): { readonly short: string; readonly link: ShortLink | null };
  /** A text with its http(s) URLs shortened, and the links. Inside a transaction. */
  shortenAll(
    text: string,
    owner: LinkOwner,
    at: string,
  ): { readonly text: string; readonly links: readonly ShortLink[] };
  toUrl(link: ShortLink): string;
}

const urlsInText = /https?:\/\/[^\s<>"'`\\^{}|]+[^\s<>"'`\\^{}|.,;:!?)\]]/gi;

/** Creates the shortener. Ids are random: they are the whole secret of a link. */
export function createLinks({ store, urls }: { store: Store; urls: Urls }): Links {
  const toUrl = (link: ShortLink): string => `${urls.auth}/l/${link.id}`;

  const shorten: Links['shorten'] = (url, owner, at) => {
    if ([...url].length > shortenable) return { short: url, link: null };
    const link = store.shortLinks.put({ id: randomSecret(6), ...owner, url, clicks: 0, createdAt: at });
    return { short: toUrl(link), link };
  };

  return {
    toUrl,
    shorten,
    shortenAll(text, owner, at) {
      const links: ShortLink[] = [];
      const shortened = text.replaceAll(urlsInText, (url) => {
        const { short, link } = shorten(url, owner, at);
        if (link) links.push(link);
        return short;
      });
      return { text: shortened, links };
    },
  };
}
