import { Columns2, Copy, Download, Eraser, Pause, Pencil, Pin, Play, RotateCcw, Wrench } from 'lucide-vue-next';
import { cutText } from '../../../emulator/contract/cut-text.ts';
import type { RequestSummary } from '../../../emulator/control/calls.ts';
import { useActions, type Action } from '../../commands/actions.ts';
import { counted } from '../../format.ts';
import type { Detail, OnSelected } from './on-selected.ts';
import { copyLabels } from './use-copies.ts';

export interface RequestActs {
  /** Null if no request is shown. */
  detail(): Detail | null;
  /** The selected request as it is listed. */
  row(): RequestSummary | null;
  readonly pinned: (id: string) => boolean;
  readonly paused: () => boolean;
  readonly listed: () => number;
  pin(): unknown;
  pause(): unknown;
  archive(): unknown;
  readonly isFiltered: () => boolean;
  unfilter(): unknown;
}

/** The actions of this view, for the palette. */
export function useRequestActions(onSelected: OnSelected, does: RequestActs): void {
  function ofSelected(): readonly Action[] {
    const detail = does.detail();
    const request = detail?.ready ? detail.view : does.row();
    if (!request) return [];
    const fix: Omit<Action, 'hint'> = {
      name: 'request.fix',
      title: 'Replay this request with its smallest fix',
      icon: Wrench,
      keys: 'request.fix',
      words: 'correct repair send again',
      why: detail?.ready ? detail.whyNoFix : null,
      act: () => onSelected((shown) => shown.replayFixed()),
    };
    const copies = copyLabels.map((label, index) => ({
      name: `request.copy.${index}`,
      title: `Copy this request: ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
      icon: Copy,
      ...(index === 0 ? { keys: 'request.copy' } : {}),
      act: () => onSelected((shown) => shown.formats[index]?.copy()),
    }));
    const actions: readonly Omit<Action, 'hint'>[] = [
      ...(request.rule === null ? [] : [fix]),
      {
        name: 'request.replay',
        title: 'Replay this request',
        icon: RotateCcw,
        keys: 'request.replay',
        words: 'send again',
        act: () => onSelected((shown) => shown.replay()),
      },
      {
        name: 'request.edit',
        title: 'Edit and replay this request…',
        icon: Pencil,
        keys: 'request.edit',
        act: () => onSelected((shown) => shown.edit()),
      },
      {
        name: 'request.pin',
        title: does.pinned(request.id) ? 'Unpin this request' : 'Pin this request',
        icon: Pin,
        keys: 'request.pin',
        act: does.pin,
      },
      {
        name: 'request.compare',
        title: 'Compare this request with the pinned one',
        icon: Columns2,
        keys: 'request.compare',
        words: 'diff difference',
        act: () => onSelected((shown) => shown.compare()),
      },
      ...copies,
    ];
    const hint = `${request.method} ${cutText(request.url, 60)}`;
    return actions.map((action) => ({ ...action, hint }));
  }

  useActions((): readonly Action[] => [
    ...ofSelected(),
    {
      name: 'requests.pause',
      title: does.paused() ? 'Resume the list of requests' : 'Pause the list of requests',
      icon: does.paused() ? Play : Pause,
      keys: 'requests.pause',
      act: does.pause,
    },
    {
      name: 'requests.har',
      title: `Export ${counted(does.listed(), 'shown request')} as HAR`,
      icon: Download,
      hint: 'secrets masked',
      words: 'download archive',
      why: does.listed() === 0 ? 'none is shown' : null,
      act: does.archive,
    },
    ...(does.isFiltered()
      ? [{ name: 'requests.unfilter', title: 'Clear the filter of requests', icon: Eraser, act: does.unfilter }]
      : []),
  ]);
}
