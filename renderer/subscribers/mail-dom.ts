/** The HTML of an email as a tree that can only be read: known elements, text, and links that lead nowhere by themselves. */

const kept = new Set(
  (
    'P DIV SPAN B STRONG I EM U S BR HR H1 H2 H3 H4 H5 H6 UL OL LI TABLE THEAD TBODY TFOOT TR TD TH BLOCKQUOTE PRE ' +
    'CODE CENTER SMALL SUB SUP SECTION ARTICLE HEADER FOOTER'
  ).split(' '),
);
/** Gone with all that is in them; anything else that is not known leaves its content behind. */
const dropped = new Set(
  (
    'SCRIPT STYLE TEMPLATE NOSCRIPT IFRAME FRAME OBJECT EMBED SVG MATH HEAD TITLE LINK META BASE VIDEO AUDIO CANVAS ' +
    'INPUT TEXTAREA SELECT'
  ).split(' '),
);
const styles = new Set(
  (
    'color background-color text-align font-weight font-style font-size line-height text-decoration padding ' +
    'padding-top padding-right padding-bottom padding-left margin margin-top margin-right margin-bottom margin-left ' +
    'width max-width border border-radius border-top border-bottom letter-spacing text-transform'
  ).split(' '),
);
/** No addresses, no functions but of colours, no variables of ours. */
const plainValue = /^(?:rgba?\([\d\s.,%/]+\)|[#\w\s.,%'"-])+$/;
const deepest = 60;

export interface MailLink {
  readonly shortUrl: string;
  readonly url: string;
}

/**
 * Builds the body of an email in the document of its frame. Nothing of `html` is run or fetched.
 * @param links those that the platform shortened: only they can be followed, by their place, in `data-link`
 */
export function toMailBody(html: string, frame: Document, links: readonly MailLink[]): DocumentFragment {
  const source = new DOMParser().parseFromString(html, 'text/html');
  const body = frame.createDocumentFragment();
  copyChildren(source.body, body, frame, links, 0);
  return body;
}

/** Whether an email chooses colours, which then want the white paper they were chosen for. */
export function hasOwnColours(html: string): boolean {
  return /\bbgcolor\s*=|color\s*:/i.test(html);
}

function copyChildren(from: Node, to: Node, frame: Document, links: readonly MailLink[], depth: number): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.appendChild(frame.createTextNode(child.nodeValue ?? ''));
    else if (child instanceof Element && depth < deepest) copyElement(child, to, frame, links, depth);
  }
}

function copyElement(element: Element, to: Node, frame: Document, links: readonly MailLink[], depth: number): void {
  const name = element.tagName.toUpperCase();
  if (dropped.has(name)) return;
  const copy = name === 'A' ? toAnchor(element, frame, links) : toCopy(element, name, frame);
  if (copy) to.appendChild(copy);
  if (name !== 'IMG') copyChildren(element, copy ?? to, frame, links, depth + 1);
}

function toAnchor(element: Element, frame: Document, links: readonly MailLink[]): HTMLElement {
  const href = element.getAttribute('href') ?? '';
  const at = links.findIndex(({ shortUrl }) => shortUrl === href);
  const link = links[at];
  const copy = frame.createElement(link ? 'a' : 'span');
  if (link) {
    copy.setAttribute('href', '#');
    copy.dataset['link'] = String(at);
    copy.title = `Leads to ${link.url}`;
  } else {
    copy.className = 'dead';
    copy.title = 'The platform did not shorten this link, so it leads nowhere here';
  }
  copyStyle(element, copy);
  return copy;
}

function toCopy(element: Element, name: string, frame: Document): HTMLElement | null {
  if (name === 'IMG') {
    const box = frame.createElement('span');
    box.className = 'image';
    box.textContent = element.getAttribute('alt') || 'image';
    return box;
  }
  if (!kept.has(name)) return null;
  const copy = frame.createElement(name);
  for (const attribute of ['colspan', 'rowspan', 'width']) {
    const value = element.getAttribute(attribute) ?? '';
    if (/^\d{1,4}%?$/.test(value)) copy.setAttribute(attribute, value);
  }
  const align = element.getAttribute('align') ?? '';
  if (/^(?:left|right|center)$/i.test(align)) copy.style.setProperty('text-align', align);
  const background = element.getAttribute('bgcolor') ?? '';
  if (plainValue.test(background)) copy.style.setProperty('background-color', background);
  copyStyle(element, copy);
  return copy;
}

/** Property by property, which no policy forbids and nothing can leave. */
function copyStyle(element: Element, copy: HTMLElement): void {
  for (const declaration of (element.getAttribute('style') ?? '').split(';')) {
    const [property = '', ...rest] = declaration.split(':');
    const value = rest.join(':').trim();
    const named = property.trim().toLowerCase();
    if (styles.has(named) && plainValue.test(value)) copy.style.setProperty(named, value);
  }
}
