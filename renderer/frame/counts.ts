import { RotateCcw, X, Zap } from 'lucide-vue-next';
import { computed, type Component, type ComputedRef } from 'vue';
import { counted, toCount } from '../format.ts';
import { useRequests } from '../live/requests.ts';
import { useSummary } from '../live/summary.ts';
import { sectionList } from '../section-list.ts';

/** The count beside the name of a section. */
export interface Count {
  readonly text: string;
  /** Set if something waits for the person. Only then does the count have an icon and a colour. */
  readonly waits?: {
    readonly says: string;
    readonly tone: 'warn' | 'bad' | 'time' | 'busy';
    readonly icon?: Component;
  };
  /** The progress of a file check, 0 to 1; null before the first report of the stream. */
  readonly progress?: number | null;
}

/** The counts of the sidebar, by section name. */
export function useCounts(): ComputedRef<ReadonlyMap<string, Count>> {
  const requests = useRequests();
  const store = useSummary();

  return computed(() => {
    const { summary } = store;
    const counts = new Map<string, Count>();
    const plain = (section: string, count: number): void =>
      void (count > 0 && counts.set(section, { text: toCount(count) }));
    plain('requests', requests.total);
    if (!summary) return counts;
    for (const section of sectionList)
      if ('counts' in section) plain(section.name, summary.records[section.counts] ?? 0);

    const { failed, retrying } = summary.deliveries;
    const delivery = retrying === 1 && failed === 0 ? 'delivery is' : 'deliveries are';
    if (failed > 0)
      counts.set('webhooks', {
        text: toCount(failed),
        waits: { says: `${counted(failed, 'delivery', 'deliveries')} failed`, tone: 'bad', icon: X },
      });
    else if (retrying > 0)
      counts.set('webhooks', {
        text: toCount(retrying),
        waits: { says: `${toCount(retrying)} ${delivery} retrying`, tone: 'warn', icon: RotateCcw },
      });

    if (summary.uploadsUnderCheck > 0) {
      const [first] = store.progress.values();
      counts.set('catalog', {
        text: toCount(summary.uploadsUnderCheck),
        waits: { says: `${counted(summary.uploadsUnderCheck, 'file')} under check`, tone: 'busy' },
        progress: first && first.of > 0 ? first.done / first.of : null,
      });
    }
    if (summary.faults.length > 0)
      counts.set('faults', {
        text: toCount(summary.faults.length),
        waits: { says: `${counted(summary.faults.length, 'fault')} active`, tone: 'time', icon: Zap },
      });
    return counts;
  });
}
