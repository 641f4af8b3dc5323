import { computed, onBeforeUnmount, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { RequestView } from '../../../emulator/control/calls.ts';
import { reportFailure, toFailure, toProblem, useServerUndo, type ServerUndo } from '../../live/reported.ts';
import { useToasts } from '../../kit/toasts.ts';
import { applyFix, bodyProblem, toDraft, type Draft } from '../../http-text/apply-fix.ts';
import { toSourceFix, toWords, type SourceFix } from '../../http-text/source-fix.ts';
import { reveal, sendDraft } from '../../live/backend/send.ts';
import { useResumed } from './resumed.ts';

export interface Replay {
  /** The draft in the editor; null while it is closed. */
  readonly editing: ShallowRef<Draft | null>;
  /** Why the request cannot be sent again, as a sentence. */
  readonly bodyProblem: ComputedRef<string | null>;
  /** Why the fix of a refused request cannot be sent: it is a sentence only. */
  readonly whyNoFix: ComputedRef<string | null>;
  /** Why the last replay was not sent. */
  readonly problem: ShallowRef<string | null>;
  again(): Promise<void>;
  fixed(): Promise<void>;
  /** Changes what the request lacks, then sends it unchanged. For a refused Host, it only makes the change. */
  atSource(): Promise<void>;
  edit(): Promise<void>;
  editFixed(): Promise<void>;
  sendEdited(draft: Draft): Promise<void>;
  /** Leaves the editor. Undo restores the edits. */
  leave(): void;
}

/**
 * Sends a recorded request again: unchanged, with its smallest fix, or edited.
 * @param changed returns the edited request; null if nothing was changed, or no editor is open
 */
export function useReplay(
  view: Ref<RequestView | null>,
  sent: (id: string) => void,
  changed: () => Draft | null,
): Replay {
  const toasts = useToasts();
  const editing = shallowRef<Draft | null>(null);
  const problem = shallowRef<string | null>(null);
  const edits = useResumed();
  /** Edits that Undo brought back: they count as changes even if nothing more is typed. */
  let resumed: Draft | null = null;
  let busy = false;

  function leave(id = view.value?.id): void {
    if (editing.value === null) return;
    const draft = changed() ?? (editing.value === resumed ? resumed : null);
    editing.value = resumed = null;
    if (draft && id !== undefined) toasts.say('The edits were discarded', () => edits.resume(id, draft));
  }
  watch(
    () => view.value?.id,
    (_id, before) => {
      leave(before);
      problem.value = null;
    },
  );
  onBeforeUnmount(() => leave());
  let isLeft = false;
  onBeforeUnmount(() => (isLeft = true));
  watch(
    [() => view.value?.id, () => edits.waiting],
    ([id, waiting]) => {
      if (waiting === null || waiting.id !== id) return;
      edits.waiting = null;
      editing.value = resumed = waiting.draft;
    },
    { immediate: true },
  );

  /** Another request may be shown when an answer arrives. The answer must not affect that one. */
  const isShown = (id: string): boolean => !isLeft && view.value?.id === id;
  function refuse(id: string, text: string): void {
    if (isShown(id)) problem.value = text;
    else toasts.refuse(text);
  }

  const unsendable = computed(() => (view.value === null ? null : bodyProblem(view.value)));

  /** Reads the request with its credentials. Otherwise the copy would contain the mask. */
  async function draftOf(id: string): Promise<Draft> {
    return toDraft(await reveal(id));
  }

  async function send(
    make: (id: string) => Promise<Draft> | Draft,
    says: string,
    {
      undo = null,
      half = () => null,
      closes = false,
    }: { undo?: (() => Promise<void>) | null; half?: () => string | null; closes?: boolean } = {},
  ): Promise<void> {
    const id = view.value?.id;
    if (id === undefined || busy) return;
    busy = true;
    const report = toasts.begin();
    try {
      const { requestId, status } = await sendDraft(await make(id), id);
      if (isShown(id)) problem.value = null;
      // Other replays keep the editor: showing their request closes it, with an Undo for the edits.
      if (isShown(id) && closes) editing.value = null;
      report.say(`${says}: ${status ?? 'no answer'}`, undo, { refused: status === null || status >= 400 });
      if (requestId !== null && isShown(id)) sent(requestId);
    } catch (error) {
      const why = toFailure('Not sent.', error);
      if (isShown(id)) problem.value = why;
      reportFailure(report, { done: half(), undo, why: isShown(id) ? null : why });
    } finally {
      busy = false;
    }
  }

  async function edit(change: (draft: Draft) => Draft = (draft) => draft): Promise<void> {
    const id = view.value?.id;
    if (id === undefined || editing.value !== null) return;
    try {
      const draft = change(await draftOf(id));
      if (isShown(id)) [problem.value, editing.value] = [null, draft];
    } catch (error) {
      refuse(id, toProblem(error));
    }
  }

  /** Returns a function that applies the fix of the request that is shown now. */
  function toFixing(): (draft: Draft) => Draft {
    const { refusal } = view.value ?? {};
    return (draft) => (refusal ? applyFix(draft, refusal.fix.edits, refusal.value) : draft);
  }
  /** Changes what the request lacks, and then sends it: the request itself is right. */
  async function fixAndSend(fix: SourceFix): Promise<void> {
    const server = useServerUndo();
    const { done } = toWords(fix);
    await send(
      async (id) => {
        const draft = await draftOf(id);
        await changeSource(server.call, fix);
        return draft;
      },
      `${done}; replayed`,
      { undo: server.undo, half: () => (server.isNeeded() ? `${done}, but the request was not replayed` : null) },
    );
  }

  /** Sends nothing: a replay would come from the window, with the host name of the base URL. */
  async function allowHost(fix: SourceFix): Promise<void> {
    const server = useServerUndo();
    const report = toasts.begin();
    const id = view.value?.id ?? '';
    try {
      await changeSource(server.call, fix);
      if (isShown(id)) problem.value = null;
      report.say(toWords(fix).done, server.undo);
    } catch (error) {
      refuse(id, toProblem(error));
    }
  }

  const sourceFix = (): SourceFix | null => toSourceFix(view.value?.refusal, view.value?.companyId ?? null);
  /** Whether the request itself has nothing to correct. */
  const isAtSource = (): boolean => ['scope', 'host'].includes(sourceFix()?.kind ?? '');
  const whyNoFix = computed(() => {
    const { refusal } = view.value ?? {};
    return !refusal || refusal.fix.edits.length > 0 || isAtSource() ? null : 'Only you can make its fix.';
  });
  const unlessLost = async (does: () => Promise<void>): Promise<void> => {
    if (unsendable.value === null) await does();
    else problem.value = unsendable.value;
  };

  const atSource = async (): Promise<void> => {
    const fix = sourceFix();
    if (fix?.kind === 'host') await allowHost(fix);
    else if (fix) await unlessLost(() => fixAndSend(fix));
  };

  return {
    editing,
    bodyProblem: unsendable,
    whyNoFix,
    problem,
    again: () => unlessLost(() => send(draftOf, 'Replayed')),
    async fixed() {
      if (isAtSource()) return atSource();
      problem.value = whyNoFix.value;
      if (!view.value?.refusal || whyNoFix.value !== null) return;
      const fix = toFixing();
      await unlessLost(() => send(async (id) => fix(await draftOf(id)), 'Replayed with the fix'));
    },
    atSource,
    edit: () => edit(),
    editFixed: () => edit(toFixing()),
    sendEdited: (draft) => send(() => draft, 'Replayed as edited', { closes: true }),
    leave: () => leave(),
  };
}

function changeSource(call: ServerUndo['call'], fix: SourceFix): Promise<unknown> {
  switch (fix.kind) {
    case 'scope': {
      const body = { scope: fix.scope, held: true, credentialId: fix.credentialId };
      return call('POST /control/apps/{id}/scopes', { params: { id: fix.app.id }, body });
    }
    case 'offer':
      return call('POST /control/offers/{id}', { params: { id: fix.offerId }, body: { apiUploads: true } });
    case 'unit': {
      const { companyId, language, country, type } = fix;
      return call('POST /control/sign-up-units', { body: { companyId, language, country, type } });
    }
    case 'host':
      return call('POST /control/allowed-hosts', { body: { host: fix.host } });
  }
}
