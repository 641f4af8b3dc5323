/** The rules for messages that are composed by hand, and for a person's actions on a message. */
import { inBody, ownRule, remove, set, setMeant, show } from '../rules.ts';

/** Why each action of a person needs a message of the other channel. */
const needs = {
  open: 'Only an email can be opened: the platform does not learn whether a text was read.',
  unsubscribe: 'A text has no unsubscribe link; reply STOP to it.',
  reply: 'Only texts can be replied to: the platform does not read replies to emails.',
} as const;

export const messageRules = {
  personGone: ownRule<{ readonly userId: string }>({
    id: 'messages.person-gone',
    status: 400,
    says: 'The person of a message is still stored when they do something with it.',
    message: () => 'The person of this message is no longer stored: a deletion request may have removed them.',
    fix: 'Choose a message of a person who is still stored.',
  }),
  unnamed: ownRule({
    id: 'messages.unnamed',
    status: 400,
    says: 'The person of a message is named by phone or by email.',
    message: () => 'Name the subscriber by phone or by email; neither was sent.',
    fix: 'Send "phone" or "email" in "subscriber".',
  }),
  unknownPerson: ownRule<{
    readonly sent: string;
    /** The phone of a person, in E.164 form, if it was sent in another form. */
    readonly meant: string | null;
    readonly known: readonly string[];
  }>({
    id: 'messages.unknown-person',
    status: 400,
    says: 'A message goes to a person of the company.',
    message: ({ sent, meant, known }) =>
      `No person has ${show(sent)}. ${meant === null ? '' : `Did you mean ${meant}? `}${known.length === 0 ? 'There are no people yet.' : `Known people: ${known.join(', ')}.`}`,
    fix: ({ meant, known: [first] }, place) =>
      setMeant(
        place,
        meant,
        first === undefined ? 'Subscribe the person first.' : `Name a known person, such as ${first}.`,
      ),
  }),
  noCompany: ownRule({
    id: 'messages.no-company',
    status: 400,
    says: 'A message needs a company that sends it.',
    message: () => 'There is no company to send for. Reset to the demo world first.',
    fix: 'Reset to the demo world, or create a company.',
  }),
  notSubscribed: ownRule<{ readonly to: string; readonly channel: string }>({
    id: 'messages.not-subscribed',
    status: 400,
    says: 'The platform sends only to subscribed addresses.',
    message: ({ to, channel }) =>
      `${to} is not subscribed by ${channel}, so the platform would send nothing. Subscribe the person first, or force it.`,
    fix: () => ({
      say: 'Send "force": true, or subscribe the person first.',
      edits: [set(inBody('/force'), true)],
    }),
  }),
  subject: ownRule({
    id: 'messages.subject',
    status: 400,
    says: 'An email has a subject.',
    message: () => 'An email needs a subject.',
    fix: (_facts, place) => ({ say: 'Send a subject.', edits: [set(place, 'Hello')] }),
  }),
  subjectLine: ownRule<{ readonly oneLine: string }>({
    id: 'messages.subject-line',
    status: 400,
    says: 'The subject of an email is one line.',
    message: () => 'The subject has a line break; a subject is one line.',
    fix: ({ oneLine }, place) => ({ say: 'Send the subject in one line.', edits: [set(place, oneLine)] }),
  }),
  textOnly: ownRule<{ readonly field: 'subject' | 'html' }>({
    id: 'messages.text-only',
    status: 400,
    says: 'A text message has no subject and no HTML.',
    message: ({ field }) => `A text message has no ${field === 'html' ? 'HTML' : field}.`,
    fix: ({ field }, place) => ({ say: `Leave ${field} out, or send an email.`, edits: [remove(place)] }),
  }),
  noAddress: ownRule<{ readonly channel: 'TEXT' | 'EMAIL' }>({
    id: 'messages.no-address',
    status: 400,
    says: 'The person of a message has an address on its channel.',
    message: ({ channel }) => `This person has no ${channel === 'TEXT' ? 'phone' : 'email'}.`,
    fix: ({ channel }, place) => {
      const other = channel === 'TEXT' ? 'EMAIL' : 'TEXT';
      return { say: `Send it by ${other}.`, edits: [set(place, other)] };
    },
  }),
  channel: ownRule<{ readonly act: keyof typeof needs }>({
    id: 'messages.channel',
    status: 400,
    says: 'Emails are opened and unsubscribed from, texts are replied to.',
    message: ({ act }) => needs[act],
    fix: ({ act }) => (act === 'reply' ? 'Choose a text.' : 'Choose an email.'),
  }),
  inbound: ownRule({
    id: 'messages.inbound',
    status: 400,
    says: 'A person does something with a message that was sent to them.',
    message: () => 'This is what the person wrote; act on a message that was sent to them.',
    fix: 'Choose a message that was sent to the person.',
  }),
  link: ownRule<{ readonly link: number; readonly links: number }>({
    id: 'messages.link',
    status: 400,
    says: 'A link that is followed is one of the message, counted from 0.',
    message: ({ link, links }) =>
      links === 0
        ? 'This message has no link.'
        : `There is no link ${link}: of the links of this message, counted from 0, the last is ${links - 1}.`,
    fix: ({ links }, place) =>
      links === 0 ? 'Choose a message with a link.' : { say: 'Follow the first one.', edits: [remove(place)] },
    facts: ({ link, links }) => ({ link, links, first: 0, last: links - 1 }),
  }),
  emptyReply: ownRule({
    id: 'messages.empty-reply',
    status: 400,
    says: 'A reply has a text.',
    message: () => 'A reply needs a text, such as STOP.',
    fix: (_facts, place) => ({ say: 'Send a text such as STOP.', edits: [set(place, 'STOP')] }),
  }),
} as const;
