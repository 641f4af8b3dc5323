/** The HTML of an email as a tree that can only be read: known elements, text, and links that lead nowhere alone. */
import { readMail } from './mail-tokens.ts';

const kept = new Set(
  (
    'P DIV SPAN B STRONG I EM U S STRIKE DEL INS BR HR H1 H2 H3 H4 H5 H6 UL OL LI DL DT DD TABLE THEAD TBODY TFOOT TR TD TH ' +
    'BLOCKQUOTE PRE CODE CENTER SMALL SUB SUP SECTION ARTICLE HEADER FOOTER'
  ).split(' '),
);
/** Replacements for elements whose look matters: the body of the frame cannot hold them, or they are obsolete. */
const standIns: ReadonlyMap<string, string> = new Map([
  ['HTML', 'DIV'],
  ['BODY', 'DIV'],
  ['FONT', 'SPAN'],
]);
const empty = new Set(['BR', 'HR', 'IMG']);
const styles = new Set(
  (
    'color background background-color text-align font-weight font-style font-size line-height text-decoration padding ' +
    'padding-top padding-right padding-bottom padding-left margin margin-top margin-right margin-bottom margin-left ' +
    'width max-width border border-radius border-top border-right border-bottom border-left letter-spacing text-transform ' +
    'direction display vertical-align white-space'
  ).split(' '),
);
/** No addresses, no functions except for colours, and no variables of ours. */
const plainValue = /^(?:rgba?\([\d\s.,%/]+\)|[#\w\s.,%'"-])+$/;
const colours = [
  ['bgcolor', 'background-color'],
  ['color', 'color'],
] as const;
const deepest = 60;
const mostNodes = 20_000;

export interface MailLink {
  readonly shortUrl: string;
  readonly url: string;
}

type Attributes = ReadonlyMap<string, string>;

/**
 * Builds the body of an email in the document of its frame. Nothing of `html` is run or fetched.
 * @param links the links that the platform shortened: only these can be followed, by their index in `data-link`
 */
export function toMailBody(html: string, frame: Document, links: readonly MailLink[]): DocumentFragment {
  const body = frame.createDocumentFragment();
  const open: { readonly name: string; readonly node: Node }[] = [];
  const top = (): Node => open.at(-1)?.node ?? body;

  for (const token of readMail(html).slice(0, mostNodes)) {
    if (token.is === 'text') top().appendChild(frame.createTextNode(token.text));
    else if (token.is === 'close') {
      const at = open.findLastIndex(({ name }) => name === token.name);
      if (at !== -1) open.length = at;
    } else {
      const { name, attributes } = token;
      const element = toElement(name, attributes, frame, links);
      if (!element) continue;
      top().appendChild(element);
      if (!empty.has(name) && open.length < deepest) open.push({ name, node: element });
    }
  }
  return body;
}

/** Whether an email sets colours, which then need the white paper that they were chosen for. */
export function hasOwnColours(html: string): boolean {
  return /color\s*[=:]|background\s*:/i.test(html);
}

/** Null if the element is left out, while its content stays. */
function toElement(
  name: string,
  attributes: Attributes,
  frame: Document,
  links: readonly MailLink[],
): HTMLElement | null {
  const isHidden = attributes.has('hidden');
  if (name === 'IMG') {
    const alt = attributes.get('alt') ?? 'image';
    // An empty text says that nothing is missing without the image.
    if (isHidden || alt.trim() === '' || /display\s*:\s*none/i.test(attributes.get('style') ?? '')) return null;
    const box = frame.createElement('span');
    box.className = 'image';
    box.textContent = alt;
    return box;
  }
  const shownAs = standIns.get(name) ?? name;
  if (name !== 'A' && !kept.has(shownAs)) return null;
  const element = name === 'A' ? toAnchor(attributes, frame, links) : frame.createElement(shownAs);
  for (const attribute of ['colspan', 'rowspan', 'width']) {
    const value = attributes.get(attribute) ?? '';
    if (/^\d{1,4}%?$/.test(value)) element.setAttribute(attribute, value);
  }
  const align = attributes.get('align') ?? '';
  if (/^(?:left|right|center)$/i.test(align)) element.style.setProperty('text-align', align);
  const direction = attributes.get('dir') ?? '';
  if (/^(?:ltr|rtl|auto)$/i.test(direction)) element.dir = direction;
  for (const [attribute, property] of colours) {
    const colour = attributes.get(attribute) ?? '';
    if (plainValue.test(colour)) element.style.setProperty(property, colour);
  }
  setStyle(element, attributes.get('style') ?? '');
  if (isHidden) element.style.setProperty('display', 'none');
  return element;
}

function toAnchor(attributes: Attributes, frame: Document, links: readonly MailLink[]): HTMLElement {
  const href = attributes.get('href') ?? '';
  const at = links.findIndex(({ shortUrl }) => shortUrl === href);
  const link = links[at];
  const anchor = frame.createElement(link ? 'a' : 'span');
  if (link) {
    anchor.setAttribute('href', '#');
    anchor.dataset['link'] = String(at);
    anchor.title = `Leads to ${link.url}`;
  } else {
    anchor.className = 'dead';
    anchor.title = 'The platform did not shorten this link, so it leads nowhere here';
  }
  return anchor;
}

/** Sets properties one by one: no policy forbids that, and no value can break out. */
function setStyle(element: HTMLElement, text: string): void {
  for (const declaration of text.split(';')) {
    const [property = '', ...rest] = declaration.split(':');
    const value = rest
      .join(':')
      .replace(/!important\s*$/i, '')
      .trim();
    const named = property.trim().toLowerCase();
    if (styles.has(named) && plainValue.test(value)) element.style.setProperty(named, value);
  }
}
