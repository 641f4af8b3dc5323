import { storeToRefs } from 'pinia';
import { onScopeDispose, type Ref } from 'vue';
import type { NewUploadView } from '../../../emulator/control/calls.ts';
import { useReported, type Reported } from '../../live/reported.ts';
import { call } from '../../live/backend/control.ts';
import { useCompany } from '../../live/company.ts';
import { useFileSending } from './file-sending.ts';
import type { Progress } from './states.ts';

export interface Sending {
  /** The file being sent now. */
  readonly under: Ref<({ readonly id: string; readonly name: string } & Progress) | null>;
  readonly problem: Reported['problem'];
  readonly refused: Reported['refused'];
  /** The name of a file that this window sent, by upload. The platform itself never learns it. */
  nameOf(id: string): string | null;
  /**
   * Initiates an upload, and sends the file to it if there is one.
   * @returns the id as soon as the upload exists; null if none was created
   */
  initiate(file: File | null, validateOnly: boolean): Promise<string | null>;
  send(id: string, file: File): Promise<void>;
  /** Sends the file of an upload again, through a new upload; with `fixed`, after fixing its mechanical errors. */
  again(id: string, fixed: boolean): Promise<string | null>;
  stop(): void;
}

/** Uploads from the window. The server makes the calls of a client, so they are recorded like a client's own. */
export function useSending(): Sending {
  const company = useCompany();
  const files = useFileSending();
  const reported = useReported();
  const { run, problem, refused } = reported;
  const { under, names } = storeToRefs(files);
  const nameOf = (id: string): string | null => names.value[id] ?? null;

  /** Whether no other file is being sent; if one is, reports that. Only one file is sent at a time. */
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
      // Check this before creating an upload that would wait for its file.
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
