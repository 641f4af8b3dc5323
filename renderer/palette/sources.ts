import { BookOpen, ListFilter, Play, Settings } from 'lucide-vue-next';
import type { Component } from 'vue';
import type { Router } from 'vue-router';
import type { FoundView, RequestSummary } from '../../emulator/control/calls.ts';
import type { Action } from '../commands/actions.ts';
import type { ApiDocument } from '../live/backend/api-document.ts';
import { toReferenceRoute, type ReferencePage } from '../live/backend/reference.ts';
import { cutInMiddle, toWhen } from '../format.ts';
import { toRecordRoute } from '../live/record-kinds.ts';
import type { SettingName } from '../parts/setting-names.ts';
import { sections } from '../sections.ts';
import { toMatches, type Entry } from './match.ts';

/** A line of the palette that can run. */
export interface Line extends Entry {
  readonly icon: Component | null;
  /** The status of a request, shown instead of the icon. */
  readonly status?: number | null;
  readonly mono?: boolean;
  /** The row of the key table with the same action. */
  readonly keys?: string;
  run(): unknown;
}

/** Actions, those run most recently first. */
export function toActionLines(actions: readonly Action[], recent: readonly string[]): readonly Line[] {
  const place = ({ name }: Action): number => (recent.includes(name) ? recent.indexOf(name) : recent.length);
  return [...actions]
    .sort((one, other) => place(one) - place(other))
    .map(({ name, title, icon, hint = '', keys, words = '', why = null, act }) => ({
      id: name,
      title,
      hint: why ?? hint,
      words,
      icon: icon ?? null,
      ...(keys === undefined ? {} : { keys }),
      why,
      run: act,
    }));
}

/** The newest matching requests, and a filter for all of them. */
export function toRequestLines(
  rows: readonly RequestSummary[],
  wanted: readonly string[],
  {
    most,
    question,
    now,
    router,
  }: {
    most: number;
    question: string;
    now: { readonly virtual: number; readonly grain: number };
    router: Router;
  },
): readonly Line[] {
  const lines: Line[] = [];
  for (let index = rows.length - 1; index >= 0 && lines.length < most; index -= 1) {
    const row = rows[index];
    if (!row) continue;
    const title = `${row.method} ${cutInMiddle(row.url.replace(/^\/v1(?=\/)/, ''), 60)}`;
    const when = toWhen(Date.parse(row.at) - now.virtual, now.grain);
    const line: Line = {
      id: row.id,
      title,
      hint: [row.rule ?? (row.operation === title ? '' : (row.operation ?? '')), when].filter(Boolean).join(', '),
      words: `${row.status ?? 'no answer'} ${row.url} ${row.id} ${row.operation ?? ''} request`,
      icon: null,
      status: row.status,
      mono: true,
      run: () => router.push({ name: 'requests', params: { id: row.id } }),
    };
    if (toMatches([line], wanted, 1).length > 0) lines.push(line);
  }
  if (question === '') return lines;
  return [
    ...lines,
    {
      id: 'filter',
      title: `Filter requests by ${question}`,
      hint: '',
      words: '',
      icon: ListFilter,
      run: () => router.push({ name: 'requests', query: { q: question } }),
    },
  ];
}

export function toRecordLines(found: readonly FoundView[], router: Router): readonly Line[] {
  return found.flatMap(({ kind, id, title, about }) => {
    const route = toRecordRoute(kind, id);
    if (route === null) return [];
    const section = router.resolve(route).name;
    return {
      id: `${kind} ${id}`,
      title,
      hint: about,
      words: '',
      icon: sections.find(({ name }) => name === section)?.icon ?? null,
      run: () => router.push(route),
    };
  });
}

export function toSettingLines(settings: readonly SettingName[], router: Router): readonly Line[] {
  return settings.map(({ title, flag, words }) => ({
    id: `setting ${title}`,
    title,
    hint: flag,
    words: `${words} setting`,
    icon: Settings,
    run: () => router.push({ name: 'settings', query: { q: title } }),
  }));
}

/** The pages of the reference. Operations have lines of their own, which lead to Try it. */
export function toReferenceLines(pages: readonly ReferencePage[], router: Router): readonly Line[] {
  return pages.map(({ kind, id, title, says }) => ({
    id: `reference ${kind} ${id}`,
    title,
    hint: says,
    words: `${kind} ${id} reference documentation`,
    icon: BookOpen,
    mono: true,
    run: () => router.push(toReferenceRoute(kind, id)),
  }));
}

/** The operations of the API, as the contract documents them. */
export function toOperationLines({ paths }: ApiDocument, router: Router): readonly Line[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(?:get|post|put|patch|delete)$/.test(method))
      .map(([method, { summary, operationId }]) => {
        const operation = `${method.toUpperCase()} ${path.replace(/^\/v1(?=\/)/, '')}`;
        return {
          id: `operation ${operation}`,
          title: operation,
          hint: summary,
          words: 'operation contract documentation',
          icon: Play,
          mono: true,
          run: () => router.push({ name: 'try', params: { operation: operationId } }),
        };
      }),
  );
}
