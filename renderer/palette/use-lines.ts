import { refDebounced } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { useRouter } from 'vue-router';
import type { FoundView } from '../../emulator/control/calls.ts';
import { offeredActions } from '../commands/actions.ts';
import { isListOf, isText, useKept } from '../kept.ts';
import { readApiDocument, type ApiDocument } from '../live/backend/api-document.ts';
import { call } from '../live/backend/control.ts';
import { readReference, type ReferencePage } from '../live/backend/reference.ts';
import { useCompany } from '../live/company.ts';
import { useNow } from '../live/now.ts';
import { useRequests } from '../live/requests.ts';
import { toMatches, toWords } from './match.ts';
import { settingNames } from './setting-names.ts';
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

/** What is typed first narrows the search. */
const prefixes: { readonly [prefix: string]: Scope } = { '>': 'actions', '#': 'records', ':': 'requests' };

export interface Group {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Names of the actions that were run, the newest first. Kept when the palette closes. */
const recent = useKept<readonly string[]>('sandpiper.actions', [], isListOf(isText));

/** What the palette lists for what is typed. */
export function useLines(typed: Ref<string>, chosenScope: Ref<Scope>) {
  const router = useRouter();
  const requests = useRequests();
  const company = useCompany();
  const now = useNow();

  const prefix = computed(() => prefixes[typed.value.trimStart().slice(0, 1)]);
  const scope = computed(() => prefix.value ?? chosenScope.value);
  const question = computed(() => (prefix.value ? typed.value.trimStart().slice(1) : typed.value).trim());
  const wanted = computed(() => toWords(question.value));

  const found = shallowRef<readonly FoundView[]>([]);
  const asked = refDebounced(question, 80);
  watch(asked, async (words) => {
    const id = company.current?.id;
    if (words === '' || id === undefined) return void (found.value = []);
    try {
      const query = { q: words.slice(0, 200) };
      const answer = await call('GET /control/companies/{id}/search', { params: { id }, query });
      if (asked.value === words) found.value = answer.found;
    } catch {
      // Without the server there are no records to be found; the frame says that it is gone.
      found.value = [];
    }
  });

  const document = shallowRef<ApiDocument | null>(null);
  // Without it the palette only lacks the operations.
  void readApiDocument().then(
    (answer) => (document.value = answer),
    () => {},
  );

  const pages = shallowRef<readonly ReferencePage[]>([]);
  void readReference().then(
    (answer) => (pages.value = answer),
    () => {},
  );

  const actions = computed(() => toActionLines(offeredActions.value, recent.value));
  const settings = toSettingLines(settingNames, router);
  const reference = computed(() => toReferenceLines(pages.value, router));
  const operations = computed(() => (document.value ? toOperationLines(document.value, router) : []));

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
    // The first line is the one that Enter runs: not one that cannot run, and not a filter if there is another match.
    const isLast = ({ title, lines }: Group): boolean =>
      lines[0]?.why !== undefined || (title === 'Requests' && lines.length === 1 && !isEmpty && !only);
    return [...withLines.filter((group) => !isLast(group)), ...withLines.filter(isLast)];
  });

  function remember(name: string): void {
    if (offeredActions.value.some((action) => action.name === name))
      recent.value = [name, ...recent.value.filter((one) => one !== name)].slice(0, 5);
  }

  return { groups, scope, wanted, question, remember };
}
