import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colours of code, from the tokens: they reach into the shadow root of an editor. */
export const codeColours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--code-key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null, tags.keyword, tags.atom, tags.definitionKeyword], color: 'var(--code-literal)' },
  { tag: [tags.punctuation, tags.comment, tags.separator, tags.bracket], color: 'var(--code-punct)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

export const codeTheme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--text)',
    backgroundColor: 'var(--sunken)',
    fontSize: 'var(--fs-code)',
  },
  '&.cm-focused': { outline: '0' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: 'var(--lh-code)',
    fontVariantLigatures: 'none',
    overflow: 'auto',
  },
  '.cm-content': { padding: 'var(--sp-4) 0', caretColor: 'var(--accent)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '32px', padding: '0 4px 0 8px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent)',
  },
  '&:not(.cm-focused) .cm-matchingBracket': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-tint)',
    outline: '1px solid var(--accent-line)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--time-tint)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--active)',
    border: '1px solid var(--line)',
    color: 'var(--text-2)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r-3)',
    boxShadow: 'var(--shadow-2)',
    color: 'var(--text)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul > li': {
    padding: '2px 8px',
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--fs-small)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--text)',
  },
  '.cm-diagnostic': { padding: '4px 8px', fontFamily: 'var(--font-ui)', fontSize: 'var(--fs-small)' },
  '.cm-diagnostic-error': { borderLeft: '2px solid var(--bad-solid)' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)', borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '4px 8px', fontSize: 'var(--fs-small)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r-1)',
    color: 'var(--text)',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r-1)',
    color: 'var(--text)',
  },
});
