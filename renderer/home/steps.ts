import type { RequestSummary } from '../../emulator/control/protocol.ts';

/** One first step. `at` is when it was seen done, ISO 8601 of real time; null while it was not. */
export interface Step {
  readonly title: string;
  readonly hint: string;
  readonly done: boolean;
  readonly at: string | null;
}

/** The first steps, ticked by what was recorded and by nothing else. */
export function toSteps(rows: readonly RequestSummary[], deliveredAt: string | null): readonly Step[] {
  const arrived = rows[0];
  const refused = rows.find(({ rule }) => rule !== null);
  const mended =
    refused && rows.find((row) => row.sequence > refused.sequence && isAccepted(row) && wasRefusedBefore(row, rows));
  const subscribed = rows.find((row) => row.operation === 'POST /subscriptions' && isAccepted(row));
  const registered = rows.find((row) => row.operation === 'POST /webhooks' && isAccepted(row));
  const step = (title: string, hint: string, seen: { readonly wallAt: string } | undefined): Step => ({
    title,
    hint,
    done: seen !== undefined,
    at: seen?.wallAt ?? null,
  });
  return [
    { title: 'Server up', hint: '', done: true, at: null },
    step('A request arrives', 'Yours, or the one on the left.', arrived),
    step('A refusal explained', 'Leave the + out of a phone number.', refused),
    step('The fix replayed', 'Open the refusal; its button sends the mended request.', mended),
    step('A person subscribed', 'POST /subscriptions with a phone and a sign-up unit.', subscribed),
    step('A webhook registered', 'POST /webhooks with the address of your handler.', registered),
    {
      title: 'A webhook delivered',
      hint: 'Subscribe someone once your handler listens.',
      done: deliveredAt !== null,
      at: deliveredAt,
    },
  ];
}

const isAccepted = ({ status }: RequestSummary): boolean => status !== null && status < 300;

function wasRefusedBefore(row: RequestSummary, rows: readonly RequestSummary[]): boolean {
  return rows.some(
    (other) => other.sequence < row.sequence && other.rule !== null && other.operation === row.operation,
  );
}
