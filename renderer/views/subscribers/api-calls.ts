import type { Scope } from '../../../emulator/http/scopes.ts';
import { ControlError, call } from '../../live/backend/control.ts';
import { whyReadOnly } from '../../live/backend/moment.ts';
import { sendDraft } from '../../live/backend/send.ts';
import { useConnection } from '../../live/connection.ts';

export interface ApiCalls {
  /** Why the window cannot call the API for the company; null if it can. */
  why(scope: Scope): string | null;
  /**
   * Calls the emulated API with a demo key, so that it is recorded like any other request.
   * @throws an Error with `why`; a ControlError with the sentence of the refusal and its place
   */
  post(path: string, scope: Scope, json: unknown): Promise<void>;
}

/**
 * Calls of the real API on behalf of a company.
 * @param companyId the company of the person concerned; another one may be shown by now
 */
export function useApiCalls(companyId: () => string | null): ApiCalls {
  const connection = useConnection();
  const keyFor = (scope: Scope): string | undefined =>
    connection.welcome?.demoKeys.find((one) => one.companyId === companyId() && one.scopes.includes(scope))?.key;
  const why = (scope: Scope): string | null =>
    keyFor(scope) === undefined
      ? `No demo key of this company has ${scope}, so this window cannot call the API for it. Use Try it with a key of your own.`
      : whyReadOnly.value;

  return {
    why,
    async post(path, scope, json) {
      const key = keyFor(scope);
      // The sheet may have opened before the key was revoked, or the company deleted.
      if (key === undefined) throw new Error(why(scope) ?? '');
      const { requestId, status } = await sendDraft({
        method: 'POST',
        url: `/v1${path}`,
        headers: [
          ['authorization', `Bearer ${key}`],
          ['content-type', 'application/json'],
        ],
        body: { encoding: 'utf8', data: JSON.stringify(json) },
      });
      if (status !== null && status < 400) return;
      const view = requestId === null ? null : await call('GET /control/requests/{id}', { params: { id: requestId } });
      const place = view?.refusal?.place;
      throw new ControlError(
        status ?? 0,
        view?.refusal?.message ?? view?.fault?.says ?? `POST ${path} was answered with ${status ?? 'nothing'}.`,
        {
          at: place?.in === 'body' && place.at !== '' ? place.at : null,
          request: requestId === null ? null : { id: requestId, rule: view?.refusal?.rule ?? null },
        },
      );
    },
  };
}
