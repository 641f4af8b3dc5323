import { Columns2, Copy, Download, Eraser, Pause, Pencil, Pin, Play, RotateCcw, Wrench } from 'lucide-vue-next';
import { cutText } from '../../../emulator/contract/cut-text.ts';
import type { RequestView } from '../../../emulator/control/calls.ts';
import { useActions, type Action } from '../../commands/actions.ts';
import { counted } from '../../format.ts';

export interface RequestActs {
  /** The selected request; null if none is. */
  view(): RequestView | null;
  readonly pinned: (id: string) => boolean;
  readonly paused: () => boolean;
  readonly listed: () => number;
  readonly formats: () => readonly { readonly label: string; copy(): unknown }[];
  replay(): unknown;
  replayFixed(): unknown;
  edit(): unknown;
  pin(): unknown;
  compare(): unknown;
  pause(): unknown;
  archive(): unknown;
  unfilter: (() => unknown) | null;
}

/** The actions of this view, for the palette. */
export function useRequestActions(acts: () => RequestActs): void {
  useActions((): readonly Action[] => {
    const { view: viewOf, pinned, paused, listed, formats, ...does } = acts();
    const view = viewOf();
    const hint = view ? `${view.method} ${cutText(view.url, 60)}` : '';
    const ofRequest: readonly Action[] = view
      ? [
          ...((view.refusal?.fix.edits.length ?? 0) > 0
            ? [
                {
                  name: 'request.fix',
                  title: 'Replay this request with its smallest fix',
                  icon: Wrench,
                  hint,
                  keys: 'request.fix',
                  words: 'correct repair send again',
                  act: does.replayFixed,
                },
              ]
            : []),
          {
            name: 'request.replay',
            title: 'Replay this request',
            icon: RotateCcw,
            hint,
            keys: 'request.replay',
            words: 'send again',
            act: does.replay,
          },
          {
            name: 'request.edit',
            title: 'Edit and replay this request…',
            icon: Pencil,
            hint,
            keys: 'request.edit',
            act: does.edit,
          },
          {
            name: 'request.pin',
            title: pinned(view.id) ? 'Unpin this request' : 'Pin this request',
            icon: Pin,
            hint,
            keys: 'request.pin',
            act: does.pin,
          },
          {
            name: 'request.compare',
            title: 'Compare this request with the pinned one',
            icon: Columns2,
            hint,
            keys: 'request.compare',
            words: 'diff difference',
            act: does.compare,
          },
          ...formats().map(({ label, copy }, index) => ({
            name: `request.copy.${index}`,
            title: `Copy this request: ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
            icon: Copy,
            hint,
            ...(index === 0 ? { keys: 'request.copy' } : {}),
            act: copy,
          })),
        ]
      : [];
    return [
      ...ofRequest,
      {
        name: 'requests.pause',
        title: paused() ? 'Resume the list of requests' : 'Pause the list of requests',
        icon: paused() ? Play : Pause,
        keys: 'requests.pause',
        act: does.pause,
      },
      {
        name: 'requests.har',
        title: `Export ${counted(listed(), 'shown request')} as HAR`,
        icon: Download,
        hint: 'secrets masked',
        words: 'download archive',
        why: listed() === 0 ? 'none is shown' : null,
        act: does.archive,
      },
      ...(does.unfilter
        ? [{ name: 'requests.unfilter', title: 'Clear the filter of requests', icon: Eraser, act: does.unfilter }]
        : []),
    ];
  });
}
