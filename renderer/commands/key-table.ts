import { sectionList } from '../section-list.ts';

/** A key of the inspector, defined only here. Handlers bind it by name, the help lists it, the settings change it. */
export interface KeyRow {
  readonly name: string;
  readonly group: string;
  readonly does: string;
  /**
   * In the notation of `KeyboardEvent.key`. `Mod+` is Ctrl or Cmd; `g r` is a chord of two keys, one after the other.
   */
  readonly keys: readonly string[];
  /** Whether it also works while typing. Only keys with `Mod+` can. */
  readonly whileTyping: boolean;
  /**
   * For a letter that changes something: it acts only with the focus inside this selector. Null if it only changes the
   * view.
   */
  readonly within: string | null;
}

/** The group of keys that work in every view. */
export const everywhere = 'Everywhere';
/** The group of keys that go to a section, from every view. */
export const goTo = 'Sections';
/** The group of keys that work in every view with a list. */
export const lists = 'Lists';

const rows: readonly (readonly [name: string, group: string, does: string, keys: readonly string[], typing?: true])[] =
  [
    ['palette', everywhere, 'Search, or run a command', ['Mod+k'], true],
    ['help', everywhere, 'These keys', ['?']],
    ['undo', everywhere, 'Undo the last change', ['Mod+z']],
    ['redo', everywhere, 'Redo what was undone last', ['Mod+y', 'Mod+Z']],
    ['clock.next', everywhere, 'Advance the clock to what is due next', ['a n']],
    ['clock.1h', everywhere, 'Advance the clock by 1 hour', ['a h']],
    ['clock.1d', everywhere, 'Advance the clock by 1 day', ['a d']],
    ['clock.to', everywhere, 'Advance the clock to a date', ['a t']],
    ['clock.result', everywhere, 'Read what happened while the clock was moved', ['y']],
    ['moment.back', everywhere, 'Go back to the moment that is looked at', ['Mod+Enter']],
    ['moment.now', everywhere, 'Return to now, from looking back', ['Mod+Backspace']],
    ['clock.freeze', everywhere, 'Freeze or unfreeze the clock', ['Mod+.']],
    ['pane.next', everywhere, 'Next pane', ['Mod+]'], true],
    ['pane.previous', everywhere, 'Previous pane', ['Mod+['], true],

    ...sectionList.map(({ name, title, chord }, index): (typeof rows)[number] => [
      `go.${name}`,
      goTo,
      `Go to ${title}`,
      [`g ${chord}`, ...(index < 9 ? [`Mod+${index + 1}`] : [])],
      true,
    ]),

    ['list.next', lists, 'Next', ['j', 'ArrowDown']],
    ['list.previous', lists, 'Previous', ['k', 'ArrowUp']],
    ['list.open', lists, 'Into the detail', ['Enter']],
    ['list.filter', lists, 'Filter', ['/', 'Mod+f']],
    ['back', lists, 'Back: out of the detail, then out of the filter', ['Escape']],

    ['request.fix', 'Requests', 'Replay with the smallest fix', ['f']],
    ['request.replay', 'Requests', 'Replay as it was', ['r']],
    ['request.edit', 'Requests', 'Edit and replay', ['e']],
    ['request.copy', 'Requests', 'Copy as curl', ['c']],
    ['request.pin', 'Requests', 'Pin or unpin', ['p']],
    ['request.compare', 'Requests', 'Compare with the pinned one', ['x']],
    ['requests.pause', 'Requests', 'Pause or resume the list', [' ']],

    ['request.timeline', 'Requests', 'What followed, in the timeline', ['t']],

    ['timeline.before', 'Timeline', 'Look back to before the selected line', ['b']],
    ['timeline.only', 'Timeline', 'Only the selected line and what followed', ['o']],

    ['body.path', 'Bodies', 'Copy the path of the line', ['w']],
    ['body.value', 'Bodies', 'Copy the value of the line', ['v']],
    ['body.search', 'Bodies', 'Search in the body', ['Mod+f']],

    ['home.url', 'Home', 'Copy the base URL', ['u']],
    ['home.key', 'Home', 'Copy the API key', ['k']],

    ['webhook.fire', 'Webhooks', 'Fire an event', ['f']],
    ['delivery.redeliver', 'Webhooks', 'Redeliver', ['r']],

    ['person.compose', 'Subscribers', 'Compose a text or an email', ['c']],
  ];

/** The selectors that must contain the focus for keys of views that change something. */
const within: { readonly [name: string]: string } = {
  'request.fix': '.reqsplit',
  'request.replay': '.reqsplit',
  'delivery.redeliver': '.wh-rows, .wh-delivery',
};

export const keyTable: readonly KeyRow[] = rows.map(([name, group, does, keys, typing = false]) => ({
  name,
  group,
  does,
  keys,
  whileTyping: typing,
  within: within[name] ?? null,
}));
