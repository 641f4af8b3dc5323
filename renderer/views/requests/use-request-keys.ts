import { useRouter } from 'vue-router';
import { useKeys } from '../../commands/keys.ts';
import { useConnection } from '../../live/connection.ts';
import type { Detail, OnSelected } from './on-selected.ts';
import type { Place } from './use-place.ts';

export interface RequestKeys {
  readonly place: Place;
  /** Null if no request is shown. */
  detail(): Detail | null;
  readonly onSelected: OnSelected;
  readonly list: () => { move(by: number): void; focus(): void } | null;
  focusFilter(): void;
  pause(): void;
  pin(): void;
  readonly hasMarked: () => boolean;
  unmark(): void;
  readonly isFiltered: () => boolean;
  unfilter(): void;
}

/** The keys of the view. */
export function useRequestKeys(acts: RequestKeys): void {
  const router = useRouter();
  const connection = useConnection();
  const { place, detail, list, onSelected } = acts;
  const { id: selected, withId, go } = place;
  const isInDetail = (): boolean => document.activeElement?.closest('.detail') != null;

  /** In the detail, arrow keys scroll, while letters still move from request to request. */
  function move(event: KeyboardEvent, by: number): unknown {
    if (event.key.startsWith('Arrow') && isInDetail()) return false;
    if (!isInDetail()) list()?.focus();
    return list()?.move(by);
  }

  function back(): void {
    if (withId.value !== null) go({ withId: null });
    else if (acts.hasMarked()) acts.unmark();
    else if (detail()?.stopEditing()) return;
    // There the detail replaces the list.
    else if (window.innerWidth <= 900 && selected.value !== null) go({ id: null });
    else if (isInDetail()) list()?.focus();
    else if (acts.isFiltered()) acts.unfilter();
    else go({ id: null });
  }

  function toTimeline(): unknown {
    const id = selected.value;
    return id === null ? false : void router.push({ name: 'timeline', params: { id }, query: { q: `cause:${id}` } });
  }

  useKeys(
    {
      'list.next': (event) => move(event, 1),
      'list.previous': (event) => move(event, -1),
      'list.open': () => detail()?.focus(),
      'list.filter': acts.focusFilter,
      'requests.pause': acts.pause,
      back,
    },
    () => connection.phase !== 'connecting',
  );
  useKeys(
    {
      'request.pin': acts.pin,
      'request.replay': () => void onSelected((shown) => shown.replay()),
      'request.fix': () => void onSelected((shown) => shown.replayFixed()),
      'request.edit': () => void onSelected((shown) => shown.edit()),
      'request.copy': () => void onSelected((shown) => shown.copyCurl()),
      'request.timeline': toTimeline,
      'request.compare': () => (withId.value === null ? detail()?.compare() : go({ withId: null })),
    },
    // Not while the previous request is still shown: a key could replay that one.
    () =>
      connection.phase !== 'connecting' &&
      (selected.value === null || withId.value !== null || detail()?.ready === true),
  );
}
