import { refDebounced } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';
import { useRouter } from 'vue-router';
import type { FoundView } from '../../emulator/control/calls.ts';
import { offeredActions } from '../commands/actions.ts';
import { isListOf, isText, useKept } from '../browser-storage.ts';
import { readApiDocument } from '../live/backend/api-document.ts';
import { call } from '../live/backend/control.ts';
import { readReference } from '../live/backend/reference.ts';
import { useCompany } from '../live/company.ts';
import { canNotify } from '../live/notifications.ts';
import { useNow } from '../live/now.ts';
import { useReading } from '../live/reading.ts';
import { useRequests } from '../live/requests.ts';
import { settingNames } from '../parts/setting-names.ts';
import { toMatches, toWords } from './match.ts';
import {
  toActionLines,
  toOperationLines,
  toRecordLines,
  toReferenceLines,
  toRequestLines,
  toSettingLines,
  type Line,
} from './sources.ts';

export const scopes = ['everything', 'actions', 'requests', 'records'] as const;
export type Scope = (typeof scopes)[number];

/** A first character that narrows the search. */
const prefixes: { readonly [prefix: string]: Scope } = { '>': 'actions', '#': 'records', ':': 'requests' };

export interface Group {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Names of the actions that were run, newest first. Kept after the palette closes. */
const recent = useKept<readonly string[]>('sandpiper.actions', [], isListOf(isText));

/** The lines of the palette for the typed text. */
export function useLines(typed: Ref<string>, chosenScope: Ref<Scope>) {
  const router = useRouter();
  const requests = useRequests();
  const company = useCompany();
  const now = useNow();

  const prefix = computed(() => prefixes[typed.value.trimStart().slice(0, 1)]);
  const scope = computed(() => prefix.value ?? chosenScope.value);
  const question = computed(() => (prefix.value ? typed.value.trimStart().slice(1) : typed.value).trim());
  const wanted = computed(() => toWords(question.value));

  const asked = refDebounced(question, 80);
  /** The last answer, with its search words. The matches may be deleted or renamed while the palette is open. */
  const { answer } = useReading({
    read: async () => ({ words: asked.value, found: await find(asked.value, company.current?.id) }),
    concerns: ({ type }) => type === 'changes',
    key: () => asked.value,
    pause: 500,
  });
  /** Empty while the typed question has no answer yet: Enter must not open a match of another question. */
  const isAnswered = computed(() => (answer.value?.words ?? '') === question.value);
  const found = computed(() => (isAnswered.value && answer.value ? answer.value.found : []));

  // If one of these fails, the palette only lacks its lines.
  const { answer: document } = useReading({ read: readApiDocument, concerns: null });
  const { answer: pages } = useReading({ read: readReference, concerns: null });

  const actions = computed(() => toActionLines(offeredActions.value, recent.value));
  const settings = toSettingLines(
    settingNames.filter(({ title }) => title !== 'Notifications' || canNotify()),
    router,
  );
  const reference = computed(() => toReferenceLines(pages.value ?? [], router));
  const operations = computed(() => (document.value ? toOperationLines(document.value, router) : []));

  /**
   * Groups that come last, because Enter runs the first line: those that begin with a line that cannot run, and a lone
   * filter if there is another match.
   */
  const isLast = ({ title, lines }: Group): boolean =>
    Boolean(lines[0]?.why) ||
    (title === 'Requests' && lines.length === 1 && wanted.value.length > 0 && scope.value === 'everything');
  const groups: ComputedRef<readonly Group[]> = computed(() => {
    const words = wanted.value;
    const [only, isEmpty] = [scope.value !== 'everything', words.length === 0];
    const shows = (one: Scope): boolean => !only || scope.value === one;
    const all: readonly Group[] = [
      { title: 'Actions', lines: shows('actions') ? toMatches(actions.value, words, only ? 60 : 7) : [] },
      {
        title: 'Requests',
        lines: shows('requests')
          ? toRequestLines(requests.rows, words, {
              most: only ? 20 : isEmpty ? 3 : 4,
              question: question.value,
              now,
              router,
            })
          : [],
      },
      {
        title: 'Records',
        lines: shows('records') ? toRecordLines(found.value, router).slice(0, only ? 45 : 6) : [],
      },
      { title: 'Settings', lines: only || isEmpty ? [] : toMatches(settings, words, 4) },
      { title: 'Operations', lines: only || isEmpty ? [] : toMatches(operations.value, words, 4) },
      { title: 'Reference', lines: only || isEmpty ? [] : toMatches(reference.value, words, 4) },
    ];
    const withLines = all.filter(({ lines }) => lines.length > 0);
    return [...withLines.filter((group) => !isLast(group)), ...withLines.filter(isLast)];
  });

  /** Whether the first line, which Enter runs, may still be a record that has not arrived. */
  const pending = computed(() => {
    const [first] = groups.value;
    const isCertain = first !== undefined && ['Actions', 'Requests'].includes(first.title) && !isLast(first);
    return !isAnswered.value && /^(?:everything|records)$/.test(scope.value) && !isCertain;
  });

  function remember(name: string): void {
    if (offeredActions.value.some((action) => action.name === name))
      recent.value = [name, ...recent.value.filter((one) => one !== name)].slice(0, 5);
  }

  return { groups, scope, wanted, question, pending, remember };
}

async function find(words: string, company: string | undefined): Promise<readonly FoundView[]> {
  if (words === '' || company === undefined) return [];
  try {
    const query = { q: words.slice(0, 200) };
    return (await call('GET /control/companies/{id}/search', { params: { id: company }, query })).found;
  } catch {
    // Without the server there are no records to find. The frame reports the loss.
    return [];
  }
}
