import type { HostNotice } from './host-channels.ts';

export interface Notifier {
  /** @returns false if it is not needed: the person already looks at the window */
  tell(notice: HostNotice): boolean;
  stop(): void;
}

/** The time between two notifications; events in between are collected in the next one. */
const pauseMs = 10_000;
const mostNamed = 3;

/**
 * Shows system notifications, throttled and grouped, while the person looks elsewhere.
 * @param show shows one notification; a click on it calls `onClick`
 */
export function createNotifier({
  isWanted,
  show,
  onClick,
}: {
  readonly isWanted: () => boolean;
  readonly show: (title: string, body: string, onClick: () => void) => void;
  readonly onClick: (route: string) => void;
}): Notifier {
  let waiting: readonly HostNotice[] = [];
  let pause: NodeJS.Timeout | null = null;

  function flush(): void {
    pause = null;
    const group = waiting;
    waiting = [];
    const [only] = group;
    if (!only || !isWanted()) return;
    const { title, body } = group.length === 1 ? only : toOne(group);
    show(title, body, () => onClick(only.route));
    pause = setTimeout(flush, pauseMs);
  }

  return {
    tell(notice) {
      if (!isWanted()) return false;
      waiting = [...waiting, notice];
      if (pause === null) flush();
      return true;
    },
    stop() {
      if (pause !== null) clearTimeout(pause);
      pause = null;
      waiting = [];
    },
  };
}

function toOne(group: readonly HostNotice[]): { readonly title: string; readonly body: string } {
  const titles = [...new Set(group.map(({ title }) => title))];
  const more = titles.length - mostNamed;
  const named = titles.slice(0, mostNamed).join('\n');
  return { title: `${group.length} things happened`, body: more > 0 ? `${named}\nand ${more} more` : named };
}
