import { toSummary } from '../control/views.ts';
import type { Emulator } from '../start-emulator.ts';
import { toRequestLine } from './lines.ts';
import type { Margin } from './margin.ts';
import { indented, paint } from './terminal.ts';

/**
 * Prints each refused request as it happens: its line with the rule and the place in the program that sent it, and the
 * fix below it, unless the same fix was printed before.
 * @returns a function that ends this, and returns a line with the counts; no line if there was no refusal
 */
export function tellRefusals(
  { deps, inspectorUrl }: Pick<Emulator, 'deps' | 'inspectorUrl'>,
  margin: Margin,
): { end(): readonly string[] } {
  const fixes = new Set<string>();
  const counts = new Map<string, number>();
  let requests = 0;
  const unsubscribe = deps.feed.subscribe((event) => {
    if (event.type !== 'request') return;
    const { exchange } = event;
    const summary = toSummary(exchange);
    // The window shows the requests that it sends.
    if (summary.source === 'window') return;
    requests += 1;
    const { refusal } = exchange;
    if (!refusal) return;
    const { id } = refusal.rule;
    const { say } = refusal.fix;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    // The link leads to a server that ends with the command: in a log it would lead nowhere.
    const line = toRequestLine(summary, margin.isWatched ? inspectorUrl : null, margin.screen).trimEnd();
    const isNew = !fixes.has(`${id} ${say}`);
    fixes.add(`${id} ${say}`);
    margin.write(isNew ? [line, indented(paint([['fix: ', 'dim'], [say]], margin.screen))] : [line]);
  });
  return {
    end() {
      unsubscribe();
      if (counts.size === 0) return [];
      const refused = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const rules = [...counts].map(([rule, count]) => (count === 1 ? rule : `${rule} (${count} times)`)).join(', ');
      return [`sandpiper: ${refused} of ${requests} requests ${refused === 1 ? 'was' : 'were'} refused: ${rules}`];
    },
  };
}
