import { useDebounceFn } from '@vueuse/core';
import { computed, shallowRef, watch, type Ref } from 'vue';
import type {
  DeliveryView,
  EventPreviewView,
  EventTypeView,
  FiredView,
  MessageView,
  ReachView,
} from '../../../emulator/control/calls.ts';
import { askedReach } from '../../parts/reach.ts';
import { toProblem } from '../../live/reported.ts';
import { ControlError, call } from '../../live/backend/control.ts';
import { changesOf, changesWhere, orNull, useReading } from '../../live/reading.ts';
import { findPerson } from '../../live/people.ts';
import { createTurns } from '../../live/turns.ts';
import { isGone, type Webhooks } from './use-webhooks.ts';
import { changedPointers, isFields, withEdits } from './edits.ts';

export interface Subscriber {
  readonly id: string;
  readonly names: readonly string[];
}

/** The targets: all webhooks that listen, an address, the built-in receiver, or a webhook by its id. */
export const toAll = '';
export const toAddress = 'address';
export const toReceiver = 'receiver';

const mostPeople = 200;
/** The address of the built-in receiver before its start, which gives it a port. */
const notStarted = 'http://127.0.0.1/';

/** An event being composed: its subject, its payload as a person edits it, and the result. */
export function useFire(
  companyId: () => string | null,
  webhooks: Webhooks['webhooks'],
  types: Readonly<Ref<readonly EventTypeView[]>>,
) {
  const type = shallowRef<EventTypeView['type']>('email.opened');
  const people = shallowRef<readonly Subscriber[]>([]);
  const person = shallowRef('');
  const messages = shallowRef<readonly MessageView[]>([]);
  const messageId = shallowRef('');
  const to = shallowRef<string>(toAll);
  const address = shallowRef('http://localhost:3000/webhooks');
  const reach = shallowRef<ReachView>('loopback');
  const text = shallowRef('');
  const base = shallowRef<object | null>(null);
  const preview = shallowRef<EventPreviewView | null>(null);
  /** The text that `preview` was made for. */
  const looked = shallowRef('');
  const problem = shallowRef<string | null>(null);
  const fired = shallowRef<FiredView | null>(null);
  const busy = shallowRef(false);

  const parsed = computed<unknown>(() => parse(text.value));
  const changed = computed(() =>
    base.value === null || parsed.value === undefined ? [] : changedPointers(base.value, parsed.value),
  );
  /** Null if the typed text is not a JSON object. */
  const payload = computed(() => (isFields(parsed.value) ? (parsed.value as EventPreviewView['payload']) : null));
  const channel = computed(() => types.value.find((one) => one.type === type.value)?.channel ?? null);
  const hasMessage = computed(() => channel.value !== null);
  const chosenName = computed(() => people.value.find(({ id }) => id === person.value)?.names[0] ?? '');
  const subscriber = computed(() => {
    const name = chosenName.value;
    return name.includes('@') ? { email: name } : /^\+\d+$/.test(name) ? { phone: name } : undefined;
  });
  /** The name of the chosen person, if it is neither a phone nor an email. The event then has the example person. */
  const withoutAddress = computed(() => (subscriber.value === undefined ? chosenName.value : ''));

  const about = () => {
    return { type: type.value, companyId: companyId() ?? undefined };
  };
  /** @param sends whether the event is sent there. Only then is the built-in receiver started */
  const target = async (sends: boolean) => {
    if (to.value === toAll) return {};
    if (to.value === toReceiver) {
      const { url } = await call(sends ? 'POST /control/receiver' : 'GET /control/receiver');
      return { to: url ?? notStarted };
    }
    return to.value === toAddress ? { to: address.value.trim(), ...askedReach(reach.value) } : { to: to.value };
  };

  let asked = 0;
  /** Previews the bytes of the editor's text. Only the newest answer counts. */
  async function look(): Promise<void> {
    const turn = (asked += 1);
    if (payload.value === null) return void (preview.value = null);
    const shown = text.value;
    try {
      const body = {
        ...about(),
        ...(await target(false)),
        payload: payload.value,
        whole: true,
        eventId: preview.value?.eventId,
      };
      const seen = await call('POST /control/trigger/preview', { body });
      if (turn === asked) [preview.value, looked.value, problem.value] = [seen, shown, null];
    } catch (error) {
      if (turn === asked) [preview.value, problem.value] = [null, toProblem(error)];
    }
  }
  const lookSoon = useDebounceFn(look, 150);
  /** Whether the text fits its schema; false until the latest text is checked. */
  const isFit = computed(() => preview.value?.misfit === null && looked.value === text.value);

  /** Everything that the payload of an event depends on. */
  const choice = (): string => JSON.stringify([companyId(), type.value, person.value, messageId.value]);
  let drafted = 0;
  /** Whether text typed during a read is not JSON yet. It is kept, and the payload is read again once it is JSON. */
  let isOutdated = false;
  /** Reads a new payload for the current choice. A person's edits stay where it has the same field. */
  async function draft(): Promise<void> {
    const turn = (drafted += 1);
    const before = text.value;
    try {
      const body = {
        ...about(),
        subscriber: subscriber.value,
        messageId: hasMessage.value && messageId.value !== '' ? messageId.value : undefined,
      };
      const { payload: drawn } = await call('POST /control/trigger/preview', { body });
      if (turn !== drafted) return;
      isOutdated = text.value !== before && parsed.value === undefined;
      if (isOutdated) return;
      const edited =
        base.value !== null && changed.value.length > 0 ? withEdits(base.value, parsed.value, drawn) : drawn;
      base.value = drawn;
      text.value = JSON.stringify(edited, null, 2);
      void look();
    } catch (error) {
      if (turn === drafted) problem.value = toProblem(error);
    }
  }

  const peopleTurns = createTurns();
  /** Reads the people. Chooses `whom`, or keeps the choice; the first person at first, or if the chosen one is gone. */
  async function readPeople(whom: string): Promise<void> {
    const company = companyId();
    const isNewest = peopleTurns.take();
    if (company === null) return void (isNewest() && ([people.value, person.value] = [[], '']));
    const found = await call('GET /control/people', { query: { companyId: company, limit: mostPeople } });
    let listed = found.people.filter(({ names }) => names.length > 0);
    const wanted = whom || person.value;
    let one = listed.find(({ id, names }) => id === wanted || names.includes(wanted));
    if (!one && wanted !== '') {
      one = await findPerson(company, wanted);
      if (one) listed = [one, ...listed];
    }
    if (!isNewest()) return;
    people.value = listed;
    const isExample = wanted === '' && base.value !== null;
    if (!isExample) person.value = (one ?? listed[0])?.id ?? '';
  }

  const recipient = (): string => `${channel.value} ${person.value}`;
  watch(recipient, () => (messages.value = []));
  // Newest first, including messages sent while the panel is open.
  useReading({
    async read() {
      const [of, userId] = [channel.value, person.value];
      if (of === null || userId === '') return [];
      const query = { userId, channel: of, direction: 'out', limit: 50 } as const;
      return (await orNull(call('GET /control/messages', { query })))?.messages.toReversed() ?? [];
    },
    show(found) {
      messages.value = found;
      // The chosen one is gone, for instance after a reset.
      if (!found.some(({ id }) => id === messageId.value)) messageId.value = '';
    },
    concerns: changesOf('messages'),
    key: recipient,
  });

  async function fire(more: { readonly reach?: ReachView } = {}): Promise<boolean> {
    if (busy.value || preview.value?.misfit || payload.value === null) return false;
    busy.value = true;
    try {
      const body = {
        ...about(),
        ...(await target(true)),
        payload: payload.value,
        whole: true,
        eventId: preview.value?.eventId,
        ...more,
      };
      fired.value = await call('POST /control/trigger', { body });
      problem.value = null;
      // The next event is another one, with its own time.
      preview.value = null;
      void draft();
      return true;
    } catch (error) {
      problem.value = toProblem(error);
      return false;
    } finally {
      busy.value = false;
    }
  }

  /** The answers so far. */
  const answers = computed<readonly DeliveryView[]>(() => fired.value?.deliveries ?? []);

  // A receiver may answer after the call that fired the event, and a refused attempt is repeated.
  useReading({
    read: () => Promise.all(answers.value.map(readAgain)),
    show: (deliveries) => (fired.value &&= { ...fired.value, deliveries }),
    concerns: changesWhere(({ kind, id }) => kind === 'deliveries' && answers.value.some((one) => one.id === id)),
    key: () => answers.value.map(({ id }) => id).join(),
  });

  watch([type, person], () => {
    messageId.value = '';
    void draft();
  });
  watch(messageId, () => void draft());
  watch(parsed, (now) => void (isOutdated && now !== undefined && draft()));
  watch([text, to, address, reach], () => void lookSoon());
  watch(webhooks, (now, before) => void (isGone(to.value, now, before) && (to.value = toAll)));
  watch(companyId, () => void (base.value !== null && start('').then(() => draft())));

  /** @param whom the id, phone or email of the subject; '' keeps the choice, which at first is the first person */
  async function start(whom: string): Promise<void> {
    try {
      await readPeople(whom);
    } catch (error) {
      problem.value = toProblem(error);
    }
    if (base.value === null) await draft();
  }

  /**
   * Removes the edits at once, then reads a payload with the present time.
   * @returns a function that restores the edits; null without edits
   */
  function startOver(): (() => void) | null {
    const [oldBase, typed, chosen] = [base.value, text.value, choice()];
    const unchanged = oldBase === null ? '' : JSON.stringify(oldBase, null, 2);
    if (oldBase !== null) text.value = unchanged;
    void draft();
    if (typed === unchanged) return null;
    return () => {
      // Drop a payload that is still being read.
      drafted += 1;
      [base.value, text.value] = [oldBase, typed];
      if (choice() === chosen) return;
      // The choice has changed: read its payload, now or once the text is JSON, and keep the edits.
      isOutdated = parsed.value === undefined;
      if (!isOutdated) void draft();
    };
  }

  return {
    type,
    people,
    person,
    withoutAddress,
    messages,
    messageId,
    to,
    address,
    reach,
    text,
    preview,
    isFit,
    problem,
    fired,
    busy,
    parsed,
    payload,
    changed,
    hasMessage,
    answers,
    start,
    fire,
    startOver,
    look,
  };
}

export type Fire = ReturnType<typeof useFire>;

/** The current version of a delivery; the old one if it is gone. */
async function readAgain(delivery: DeliveryView): Promise<DeliveryView> {
  try {
    return await call('GET /control/deliveries/{id}', { params: { id: delivery.id } });
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return delivery;
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
