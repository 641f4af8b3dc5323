import { storeToRefs } from 'pinia';
import { onScopeDispose, type Ref } from 'vue';
import type { NewUploadView } from '../../../emulator/control/calls.ts';
import { useReported, type Reported } from '../../live/reported.ts';
import { call } from '../../live/backend/control.ts';
import { useCompany } from '../../live/company.ts';
import { useFileSending } from './file-sending.ts';
import type { Progress } from './states.ts';

export interface Sending {
  /** What is on its way now. */
  readonly under: Ref<({ readonly id: string; readonly name: string } & Progress) | null>;
  readonly problem: Reported['problem'];
  readonly refused: Reported['refused'];
  /** The names of the files that this window sent, by upload: the platform itself never learns them. */
  nameOf(id: string): string | null;
  /**
   * Initiates an upload, and sends the file to it if there is one.
   * @returns the upload's id, as soon as there is one; null if there is none
   */
  initiate(file: File | null, validateOnly: boolean): Promise<string | null>;
  send(id: string, file: File): Promise<void>;
  /** The file of an upload once more, through a new one; `fixed`: with its mechanical errors fixed. */
  again(id: string, fixed: boolean): Promise<string | null>;
  stop(): void;
}

/** Uploads from the window: the server makes the calls that a client would make, so they are recorded like its own. */
export function useSending(): Sending {
  const company = useCompany();
  const files = useFileSending();
  const reported = useReported();
  const { run, problem, refused } = reported;
  const { under, names } = storeToRefs(files);
  const nameOf = (id: string): string | null => names.value[id] ?? null;

  /** One file at a time. */
  function isFree(): boolean {
    if (under.value) problem.value = `${under.value.name} is still being sent. Wait for it, or stop it.`;
    return under.value === null;
  }

  async function send(id: string, file: File): Promise<void> {
    if (isFree()) await files.send(id, file);
  }

  onScopeDispose(files.reportTo(reported));
  return {
    under,
    problem,
    refused,
    nameOf,
    send,
    async initiate(file, validateOnly) {
      const companyId = company.current?.id;
      // Before an upload is made that would wait for its file.
      if (companyId === undefined || (file && !isFree())) return null;
      const made: NewUploadView[] = [];
      await run('Upload initiated', async () => {
        made.push(await call('POST /control/uploads', { body: { companyId, validateOnly } }));
      });
      const id = made[0]?.id ?? null;
      if (id !== null && file) void send(id, file);
      return id;
    },
    async again(id, fixed) {
      const made: NewUploadView[] = [];
      await run(fixed ? 'The fixed file was sent' : 'The file was sent again', async () => {
        made.push(await call('POST /control/uploads/{id}/again', { params: { id }, body: { fixed } }));
      });
      const next = made[0]?.id ?? null;
      const name = nameOf(id);
      if (next !== null && name !== null) names.value = { ...names.value, [next]: name };
      return next;
    },
    stop: files.stop,
  };
}
