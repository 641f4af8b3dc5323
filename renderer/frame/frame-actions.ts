import {
  Building2,
  CircleQuestionMark,
  Contrast,
  Copy,
  Gauge,
  Globe,
  KeyRound,
  Layers,
  Moon,
  Redo2,
  RotateCcw,
  Sun,
  SunMoon,
  Trash2,
  Undo2,
  Webhook,
  Zap,
} from 'lucide-vue-next';
import type { Body } from '../../emulator/control/calls.ts';
import { until } from '@vueuse/core';
import { useRouter } from 'vue-router';
import { toProblem, useServerUndo } from '../live/reported.ts';
import { offeredActions, useCommands, type Action } from '../commands/actions.ts';
import { viewActions } from '../commands/view-actions.ts';
import { call } from '../live/backend/control.ts';
import { copyText } from '../kit/copy.ts';
import { toReadable, toSnapshotName } from '../format.ts';
import type { SectionName } from '../section-list.ts';
import { sections } from '../sections.ts';
import { useCompany } from '../live/company.ts';
import { useConnection } from '../live/connection.ts';
import { useNow } from '../live/now.ts';
import { paces, usePace } from '../live/pace.ts';
import { useTheme } from '../live/theme.ts';
import { useToasts } from '../kit/toasts.ts';
import { useUndo } from '../live/undo.ts';
import { useZone } from '../live/zone.ts';
import { useClockActions } from './clock/clock-actions.ts';

/** Offers the actions that are available in every view. */
export function useFrameActions({ help, advanceTo }: { help(): void; advanceTo(): void }): void {
  const router = useRouter();
  const [now, pace, theme, zone] = [useNow(), usePace(), useTheme(), useZone()];
  const clockActions = useClockActions(advanceTo);
  const [company, connection, toasts, undo] = [useCompany(), useConnection(), useToasts(), useUndo()];

  /** Runs an action and reports success or refusal in a toast. */
  async function tell(says: string, does: () => Promise<unknown>, takeBack?: () => Promise<unknown>): Promise<void> {
    const report = toasts.begin();
    try {
      await does();
      report.say(says, takeBack ?? null);
    } catch (error) {
      report.refuse(toProblem(error));
    }
  }

  const copy = (text: string, says: string): Promise<void> => tell(says, () => copyText(text));

  const reset = (world: Exclude<Body<'POST /control/reset'>['world'], 'start'>): Promise<void> => {
    const server = useServerUndo();
    return tell(
      world === 'demo' ? 'Everything was reset to the demo world' : 'Everything was emptied',
      () => server.call('POST /control/reset', { body: { world } }),
      server.undo,
    );
  };

  async function saveSnapshot(): Promise<void> {
    const name = toSnapshotName(new Date(now.wall).toISOString());
    await tell(`The snapshot ${name} was saved`, () => call('POST /control/snapshots', { body: { name } }));
  }

  const clearRequests = (): Promise<void> => {
    const server = useServerUndo();
    return tell('The recorded requests were cleared', () => server.call('DELETE /control/requests'), server.undo);
  };

  function lookActions(): readonly Action[] {
    return [
      { name: 'theme.system', title: 'Theme: as the system', icon: SunMoon, act: () => (theme.theme = 'system') },
      { name: 'theme.light', title: 'Theme: light', icon: Sun, act: () => (theme.theme = 'light') },
      { name: 'theme.dark', title: 'Theme: dark', icon: Moon, act: () => (theme.theme = 'dark') },
      {
        name: 'theme.contrast',
        title: theme.moreContrast ? 'Contrast: normal' : 'Contrast: more',
        icon: Contrast,
        words: 'theme',
        act: () => (theme.moreContrast = !theme.moreContrast),
      },
      {
        name: 'zone',
        title: zone.zone === 'UTC' ? 'Show times in local time' : 'Show times in UTC',
        icon: Globe,
        words: 'zone',
        act: () => (zone.zone = zone.zone === 'UTC' ? 'local' : 'UTC'),
      },
      { name: 'help', title: 'Keys and help', icon: CircleQuestionMark, keys: 'help', words: 'shortcuts', act: help },
    ];
  }

  function worldActions(): readonly Action[] {
    const [[newest], [undone]] = [undo.edits, undo.redoable];
    return [
      {
        name: 'fire',
        title: 'Fire an event…',
        icon: Webhook,
        hint: 'to a webhook or any address',
        words: 'trigger send test delivery',
        act: () => router.push({ name: 'webhooks', query: { fire: '1' } }),
      },
      {
        name: 'fault',
        title: 'Set a fault…',
        icon: Zap,
        hint: 'for the next answer: status, delay, cut body',
        words: 'override reply response fail error 500 429 limit',
        act: () => router.push({ name: 'faults', query: { new: '1' } }),
      },
      {
        name: 'undo',
        title: 'Undo the last change',
        icon: Undo2,
        // Never disabled: the list may not show the newest change yet.
        hint: newest ? toReadable(newest.says, zone.zone) : 'nothing to undo',
        keys: 'undo',
        act: () => undo.undoLast(),
      },
      {
        name: 'redo',
        title: 'Redo what was undone last',
        icon: Redo2,
        hint: undone ? toReadable(undone.says, zone.zone) : 'nothing was undone, or something else changed since',
        keys: 'redo',
        words: 'again',
        act: () => undo.redo(),
      },
      {
        name: 'snapshot',
        title: 'Save a snapshot',
        icon: Layers,
        hint: 'the whole state, to come back to',
        words: 'keep store',
        act: saveSnapshot,
      },
      {
        name: 'copy.url',
        title: 'Copy the base URL',
        icon: Copy,
        hint: connection.welcome?.apiUrl ?? '',
        act: () => copy(connection.welcome?.apiUrl ?? '', 'The base URL was copied'),
      },
      ...(connection.welcome?.demoKeys ?? [])
        .filter(({ companyId }) => companyId === company.current?.id)
        .map(({ key, app }) => ({
          name: `copy.key ${key}`,
          title: `Copy the key of ${app}`,
          icon: KeyRound,
          hint: key,
          words: 'token credential api',
          act: () => copy(key, `The key of ${app} was copied`),
        })),
      ...paces.map(({ name, says }) => ({
        name: `pace.${name}`,
        title: `Pace: ${name}`,
        icon: Gauge,
        hint: says,
        why: connection.clock?.pace === name ? 'this is the pace now' : null,
        act: () => pace.choose(name),
      })),
      { name: 'clear', title: 'Clear the recorded requests', icon: Trash2, words: 'delete forget', act: clearRequests },
      { name: 'reset.demo', title: 'Reset to the demo world', icon: RotateCcw, act: () => reset('demo') },
      {
        name: 'reset.empty',
        title: 'Reset to an empty store',
        icon: RotateCcw,
        words: 'delete everything',
        act: () => reset('empty'),
      },
      ...company.companies
        .filter(({ id }) => id !== company.current?.id)
        .map(({ id, name }) => ({
          name: `company ${id}`,
          title: `Switch to ${name}`,
          icon: Building2,
          hint: 'company',
          act: () => company.choose(id),
        })),
    ];
  }

  const goActions: readonly Action[] = sections.map(({ name, title, icon }) => ({
    name: `go.${name}`,
    title: `Go to ${title}`,
    icon,
    keys: `go.${name}`,
    words: 'section view open',
    act: () => router.push({ name }),
  }));

  /** Goes to the view that offers the action and runs it there, like the view's own button. */
  async function actThere(section: SectionName, name: string): Promise<void> {
    await router.push({ name: section });
    const action = await until(() => offeredActions.value.find((one) => one.name === name)).toBeTruthy({
      timeout: 10_000,
    });
    if (!action || router.currentRoute.value.name !== section) return;
    if (action.why) toasts.refuse(`${action.title}: ${action.why}`);
    else await action.act();
  }
  /** The actions of other views, without those that the current view offers itself. */
  const actionsElsewhere = (): readonly Action[] => {
    const here = sections.find(({ name }) => name === router.currentRoute.value.name)?.name;
    return viewActions
      .filter(({ section }) => section !== here)
      .map(({ name, section, title, icon, words }) => ({
        name: `there ${name}`,
        title,
        icon,
        words,
        act: () => actThere(section, name),
      }));
  };

  /** The most used actions, shown before anything is typed. */
  const daily = ['clock.next', 'fire', 'fault', 'undo', 'snapshot', 'clock.to', 'copy.url'];
  const refuse = (title: string, why: string): void => toasts.refuse(`${title}: ${why}`);
  useCommands(() => {
    const all = [...clockActions(), ...worldActions(), ...actionsElsewhere(), ...goActions, ...lookActions()];
    const first = daily.flatMap((name) => all.find((action) => action.name === name) ?? []);
    return [...first, ...all.filter((action) => !first.includes(action))];
  }, refuse);
}
