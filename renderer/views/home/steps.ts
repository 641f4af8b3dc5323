import type { RouteLocationRaw } from 'vue-router';
import type { FirstStepsView } from '../../../emulator/control/calls.ts';

/** One first step. */
export interface Step {
  readonly title: string;
  readonly hint: string;
  readonly done: boolean;
  /** When the step was seen done, ISO 8601 on the virtual clock; null until then. */
  readonly at: string | null;
  /** What a person can do for the step here. */
  readonly offer:
    | { readonly does: 'refusal'; readonly label: string }
    | { readonly does: 'go'; readonly label: string; readonly to: RouteLocationRaw }
    | null;
}

/** The first steps. Only events that the server saw mark them as done. */
export function toSteps(seen: FirstStepsView | null, { canSend }: { readonly canSend: boolean }): readonly Step[] {
  const step = (title: string, hint: string, at: string | null | undefined, offer: Step['offer'] = null): Step => ({
    title,
    hint,
    done: typeof at === 'string',
    at: at ?? null,
    offer,
  });
  return [
    { ...step('Server up', '', null), done: true },
    step(
      'A request arrives',
      canSend ? 'From your integration, or from the snippet on the left.' : 'From your integration, with a key.',
      seen?.arrived,
    ),
    step('A refusal explained', 'Leave the + out of a phone number.', seen?.refused, {
      does: 'refusal',
      label: 'Send one',
    }),
    step('Fixed and accepted', 'Open the refusal: its button sends the fixed request.', seen?.mended, {
      does: 'go',
      label: 'Refused requests',
      to: { name: 'requests', query: { show: 'refused' } },
    }),
    step('A webhook delivered', 'Register yours, or use the built-in receiver.', seen?.delivered, {
      does: 'go',
      label: 'Webhooks',
      to: { name: 'webhooks' },
    }),
    step('The clock moved', 'At the bottom: +12 h, then rewind.', seen?.moved),
    step('A message opened', 'On the simulated phone or in the inbox of a subscriber.', seen?.opened, {
      does: 'go',
      label: 'Subscribers',
      to: { name: 'subscribers' },
    }),
  ];
}
