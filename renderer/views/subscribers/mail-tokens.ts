/** The markup of an email, read without the browser's parser: that would apply inline styles, which our policy reports. */

export type MailToken =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly is: 'close'; readonly name: string };

/** Their content is not read. */
const raw = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'NOSCRIPT',
  'IFRAME',
  'NOEMBED',
  'NOFRAMES',
  'TITLE',
  'TEXTAREA',
  'XMP',
  'OBJECT',
  'SVG',
  'MATH',
  'SELECT',
  'VIDEO',
  'AUDIO',
]);

const tag = /<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/iy;
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/g;

/**
 * Reads HTML as texts and tags, in linear time; what is broken off at the end is left out. Names in capitals, those of
 * attributes small. Elements that hold no text to read are left out with what is in them.
 */
export function readMail(html: string): readonly MailToken[] {
  const tokens: MailToken[] = [];
  const small = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    if (next !== at) tokens.push({ is: 'text', text: html.slice(at, next === -1 ? undefined : next) });
    if (next === -1) break;
    if (html.startsWith('<!--', next)) {
      const end = html.indexOf('-->', next + 4);
      if (end === -1) break;
      at = end + 3;
    } else if (/[!?]/.test(html[next + 1] ?? '')) {
      const end = html.indexOf('>', next);
      if (end === -1) break;
      at = end + 1;
    } else if (/^<\/?[a-z]/i.test(html.slice(next, next + 3))) {
      tag.lastIndex = next;
      const match = tag.exec(html);
      if (!match) break;
      const name = (match[2] ?? '').toUpperCase();
      at = tag.lastIndex;
      if (match[1] === '/') tokens.push({ is: 'close', name });
      else if (raw.has(name)) at = endOf(small, name, at);
      else tokens.push({ is: 'open', name, attributes: readAttributes(match[3] ?? '') });
    } else {
      tokens.push({ is: 'text', text: '<' });
      at = next + 1;
    }
  }
  return tokens;
}

/** Behind the closing tag of an element; the end where there is none. */
function endOf(small: string, name: string, from: number): number {
  const close = small.indexOf(`</${name.toLowerCase()}`, from);
  const end = close === -1 ? -1 : small.indexOf('>', close);
  return end === -1 ? small.length : end + 1;
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single, plain] of text.matchAll(attribute)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, double ?? single ?? plain ?? '');
  }
  return found;
}
