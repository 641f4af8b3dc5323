import { isCurrency, isUtcTimestamp } from '../../../contract/formats.ts';
import { isUrl } from '../../../contract/url.ts';

const HTTP_URL = /^https?:\/\/[^\s/?#]\S*$/i;

/** An absolute http or https URL: section 2.1. White space is refused, which URL parsers would escape silently. */
export function isCatalogUrl(text: string): boolean {
  return HTTP_URL.test(text) && isUrl(text);
}

/**
 * The same results as isCatalogUrl, but faster for the links of one shop: after the host everything but white space is
 * allowed, so a link to the host of the last valid one is not parsed again.
 */
function createHttpUrlFormat(): (text: string) => boolean {
  let host = 'https://';
  return (text) => {
    const next = text[host.length];
    if (next === '/' && host.length > 8 && text.startsWith(host)) return !/\s/.test(text);
    if (!isCatalogUrl(text)) return false;
    const end = text.indexOf('/', 8);
    if (end > 0) host = text.slice(0, end);
    return true;
  };
}

/** A decimal number without sign, exponent or separators (assumed, section 2.1 says only string). */
export function isDecimal(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}

export type FormatName = 'http-url' | 'utc-timestamp' | 'iso-4217' | 'decimal';

/** The formats of product-schema.ts. */
export function createFormats(): { readonly [F in FormatName]: (text: string) => boolean } {
  return {
    'http-url': createHttpUrlFormat(),
    'utc-timestamp': isUtcTimestamp,
    'iso-4217': isCurrency,
    decimal: isDecimal,
  };
}
