import type { Scope } from '../../../emulator/http/scopes.ts';
import { ControlError, call } from '../../live/backend/control.ts';
import { whyReadOnly } from '../../live/backend/moment.ts';
import { sendDraft } from '../../live/backend/send.ts';
import { useConnection } from '../../live/connection.ts';
import { findKey, isKeyWith } from '../../live/example-key.ts';
import { useRecords } from '../../live/records.ts';

export interface ApiCalls {
  /** Why the window cannot call the API for the company; null if it can. */
  why(scope: Scope): string | null;
  /**
   * Calls the emulated API with a key of the company, so that it is recorded like any other request.
   * @throws an Error if no key has the scope; a ControlError with the sentence of the refusal and its place
   */
  post(path: string, scope: Scope, json: unknown): Promise<void>;
}

/**
 * Calls of the real API on behalf of a company.
 * @param companyId the company of the person concerned; another one may be shown by now
 */
export function useApiCalls(companyId: () => string): ApiCalls {
  const connection = useConnection();
  const credentials = useRecords('credentials', { companyId });
  const hasKey = (scope: Scope): boolean =>
    connection.welcome?.demoKeys.some((one) => one.companyId === companyId() && one.scopes.includes(scope)) === true ||
    credentials.records.value.some((one) => isKeyWith(scope, one));
  const whyNoKey = (scope: Scope): string =>
    `No API key of this company has ${scope}, so this window cannot call the API for it. Create one under Apps and keys.`;

  return {
    // Before the keys are known, none is missing.
    why: (scope) => (credentials.isRead.value && !hasKey(scope) ? whyNoKey(scope) : whyReadOnly.value),
    async post(path, scope, json) {
      const found = await findKey(companyId(), scope);
      // The sheet may have opened before the key was revoked, or the company deleted.
      if (found === null) throw new Error(whyNoKey(scope));
      const { requestId, status } = await sendDraft({
        method: 'POST',
        url: `/v1${path}`,
        headers: [
          ['authorization', `Bearer ${found.key}`],
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
