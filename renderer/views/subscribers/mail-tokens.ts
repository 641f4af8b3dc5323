/** Email markup, read without the browser's parser: that would apply inline styles, which our policy reports. */
import { Parser } from 'htmlparser2';

export type MailToken =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly is: 'close'; readonly name: string };

/** Elements whose content is not read. */
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

/**
 * Reads HTML as texts and tags, in linear time, with entities resolved. Every element that opens also closes, and a tag
 * broken off at the end is left out. Element names are in capitals, attribute names in lower case. Elements without
 * readable text are left out with their content.
 */
export function readMail(html: string): readonly MailToken[] {
  const tokens: MailToken[] = [];
  const open: string[] = [];
  /** The depth inside of an element that is left out, counting that element. */
  let leftOut = 0;
  const parser = new Parser({
    ontext(text) {
      if (leftOut > 0) return;
      const last = tokens.at(-1);
      if (last?.is === 'text') tokens[tokens.length - 1] = { is: 'text', text: last.text + text };
      else tokens.push({ is: 'text', text });
    },
    onopentag(tag, attributes) {
      open.push(tag);
      const name = tag.toUpperCase();
      if (leftOut > 0 || raw.has(name)) leftOut += 1;
      else tokens.push({ is: 'open', name, attributes: new Map(Object.entries(attributes)) });
    },
    onclosetag(tag) {
      // At the end, the parser also closes a tag that is broken off, and so never opened.
      if (open.at(-1) !== tag) return;
      open.pop();
      if (leftOut > 0) leftOut -= 1;
      else tokens.push({ is: 'close', name: tag.toUpperCase() });
    },
  });
  parser.end(html);
  return tokens;
}

/** The kinds of what an email has and its preview does not show, in plural words. */
export function findLeftOut(html: string): readonly string[] {
  const found = { 'style sheets': false, images: false };
  const parser = new Parser({
    onopentag(tag, { rel = '', style = '', background }) {
      if (tag === 'style' || (tag === 'link' && /\bstylesheet\b/i.test(rel))) found['style sheets'] = true;
      if (tag === 'img' || background !== undefined || /\burl\(/i.test(style)) found.images = true;
    },
  });
  parser.end(html);
  return Object.entries(found).flatMap(([kind, isFound]) => (isFound ? [kind] : []));
}
