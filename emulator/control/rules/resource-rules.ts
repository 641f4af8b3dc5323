/** What the control API refuses of one resource. Rules about what it leads to stand with their own part: delivery/, messages/, world/, … */
import { ownRule, remove, set, type AnyRule } from '../../rules.ts';

export const clockRules = {
  one: ownRule<{ readonly came: readonly string[] }>({
    id: 'clock.one',
    status: 400,
    says: 'The clock is asked for one thing at a time.',
    message: ({ came }) =>
      `Send exactly one of advance, set, freeze, rate, real, rewind and stop; ${came.length === 0 ? 'none' : came.join(' and ')} came.`,
    fix: ({ came: [first] }, place) =>
      first === undefined
        ? { say: 'Send one of them, such as "advance": "1h".', edits: [set({ ...place, at: '/advance' }, '1h')] }
        : `Send "${first}" alone.`,
  }),
  still: ownRule({
    id: 'clock.still',
    status: 409,
    says: 'Only time that is being advanced or set can be stopped.',
    message: () => 'Time is not being advanced or set now, so there is nothing to stop.',
    fix: 'Leave it out: nothing needs to be stopped.',
  }),
  noRewind: ownRule({
    id: 'clock.no-rewind',
    status: 409,
    says: 'Time is rewound to where it was before it was advanced or set.',
    message: () => 'Time was not advanced or set since Sandpiper started, so there is nothing to rewind to.',
    fix: 'Advance or set the time first, or look back in the timeline.',
  }),
} as const;

export const timelineRules = {
  cursor: ownRule<{ readonly cursor: string }>({
    id: 'timeline.cursor',
    status: 400,
    says: 'A cursor is one that the timeline gave.',
    message: ({ cursor }) => `"${cursor}" is no cursor; send the "cursor" of a group of GET /control/timeline.`,
    fix: (_facts, place) => ({ say: 'Leave it out to begin with the newest.', edits: [remove(place)] }),
    facts: ({ cursor }) => ({ cursor: cursor.slice(0, 100) }),
  }),
  readOnly: ownRule<{ readonly at: string; readonly header: string }>({
    id: 'timeline.read-only',
    status: 409,
    says: 'An earlier moment is looked at, and cannot be changed.',
    message: ({ at, header }) => `Nothing can be changed while looking at ${at}. Send it without "${header}".`,
    fix: ({ header }, place) => ({ say: `Send it without "${header}".`, edits: [remove(place)] }),
  }),
} as const;

export const undoRules = {
  newer: ownRule<{ readonly newest: string; readonly newestId: string }>({
    id: 'undo.newer',
    status: 409,
    says: 'What was done last is undone first.',
    message: ({ newest }) => `Something else was done since: ${newest} Undo that first, or send "andNewer": true.`,
    fix: (_facts, place) => ({
      say: 'Send "andNewer": true, which undoes what was done since, too.',
      edits: [set({ ...place, at: '/andNewer' }, true)],
    }),
    facts: ({ newestId }) => ({ newestId }),
  }),
  gone: ownRule<{ readonly id: string }>({
    id: 'undo.gone',
    status: 409,
    says: 'What is undone is one of the last things that were done.',
    message: ({ id }) => `${id} cannot be undone any more. "sandpiper undo --list" shows what can.`,
    fix: 'Name one of those that "sandpiper undo --list" shows.',
    facts: ({ id }) => ({ id: id.slice(0, 100) }),
  }),
  nothing: ownRule({
    id: 'undo.nothing',
    status: 409,
    says: 'Something was done before it is undone.',
    message: () => 'There is nothing to undo since Sandpiper started.',
    fix: 'Nothing needs to be undone.',
  }),
  redoOrder: ownRule<{ readonly id: string; readonly next: string; readonly nextId: string }>({
    id: 'undo.redo-order',
    status: 409,
    says: 'What was undone last is done again first.',
    message: ({ id, next, nextId }) => `${id} cannot be done again now. What can be next is ${nextId}: ${next}`,
    fix: ({ nextId }, place) => ({ say: `Do ${nextId} again first.`, edits: [set(place, nextId)] }),
    facts: ({ id, nextId }) => ({ id: id.slice(0, 100), nextId }),
  }),
  nothingToRedo: ownRule({
    id: 'undo.nothing-to-redo',
    status: 409,
    says: 'Something was undone, and nothing else changed, before it is done again.',
    message: () => 'There is nothing to redo: nothing was undone, or something else changed since then.',
    fix: 'Do it once more by hand.',
  }),
} as const;

/** The end of each refusal because a file is gone. */
const sendAgain = 'Send it again: the newest 256 MB of checked files are kept.';

export const uploadRules = {
  notKept: ownRule<{ readonly uploadId: string }>({
    id: 'uploads.not-kept',
    status: 409,
    says: 'A file that is read again is still kept.',
    message: ({ uploadId }) => `The file of upload ${uploadId} is not kept any more. ${sendAgain}`,
    fix: 'Send the file again.',
    facts: ({ uploadId }) => ({ uploadId, keptMegabytes: 256 }),
  }),
  notChecked: ownRule<{ readonly uploadId: string }>({
    id: 'uploads.not-checked',
    status: 409,
    says: 'A file that is looked into has been checked.',
    message: ({ uploadId }) => `The file of upload ${uploadId} has not been checked yet.`,
    fix: 'Send its file, and wait until it is checked.',
  }),
  notChecking: ownRule<{ readonly uploadId: string }>({
    id: 'uploads.not-checking',
    status: 409,
    says: 'A check that is ended is running.',
    message: ({ uploadId }) => `The file of upload ${uploadId} is not being checked, so there is nothing to end.`,
    fix: 'Nothing needs to be ended.',
  }),
  line: ownRule<{ readonly uploadId: string; readonly line: number }>({
    id: 'uploads.line',
    status: 404,
    says: 'A line that is shown is one of the file.',
    message: ({ uploadId, line }) => `The file of upload ${uploadId} has no line ${line}.`,
    fix: 'Ask for a line of the file; they count from 1.',
  }),
  nothingFixed: ownRule<{ readonly uploadId: string }>({
    id: 'uploads.nothing-fixed',
    status: 409,
    says: 'A copy is made of a file in which something can be fixed mechanically.',
    message: () => 'No line of the file has errors with a mechanical fix.',
    fix: 'Fix the lines by hand, and send the file again.',
  }),
  noAnswer: ownRule<{ readonly call: string; readonly reason: string }>({
    id: 'uploads.no-answer',
    status: 409,
    says: 'The API answers the call that the inspector makes for an upload.',
    message: ({ call, reason }) => `${call} got no answer: ${reason}.`,
    fix: 'Remove a fault that resets or delays it, then send it again.',
  }),
  noKey: ownRule<{ readonly scope: string }>({
    id: 'uploads.no-key',
    status: 409,
    says: 'The company has a key with the scope that its uploads need.',
    message: ({ scope }) =>
      `No key of this company has the scope ${scope}. Give one of its apps that scope, or make another app.`,
    fix: ({ scope }) => `Give one of its apps the scope ${scope}.`,
  }),
} as const;

export const editorRules = {
  noPlace: ownRule({
    id: 'editor.no-place',
    status: 404,
    says: 'The place in the program that sent a request is known before it is opened.',
    message: () => 'The place in the program that sent this request is not known.',
    fix: 'Run the program with "sandpiper exec", which notes the places.',
  }),
  noFolder: ownRule({
    id: 'editor.no-folder',
    status: 409,
    says: 'An editor is opened by a Sandpiper that was started in the folder of the program.',
    message: () => 'Only “sandpiper serve” and “sandpiper exec” open an editor.',
    fix: 'Start "sandpiper serve" in the folder of the program.',
  }),
  form: ownRule({
    id: 'editor.form',
    status: 400,
    says: 'A place in a program is a file with a line and a column.',
    message: () => 'The place of this request names no file with a line and a column.',
    fix: 'Send the header as file:line:column.',
  }),
  outside: ownRule<{ readonly folder: string }>({
    id: 'editor.outside',
    status: 400,
    says: 'Only files below the folder in which Sandpiper was started are opened.',
    message: ({ folder }) => `There is no such file below ${folder}, and others are not opened.`,
    fix: ({ folder }) => `Name a file below ${folder}.`,
  }),
  failed: ownRule<{ readonly editor: string; readonly problem: string }>({
    id: 'editor.failed',
    status: 409,
    says: 'The editor can be run.',
    message: ({ problem }) => `The editor cannot be run: ${problem}. Name another one in LAUNCH_EDITOR.`,
    fix: 'Name another editor in LAUNCH_EDITOR, and start Sandpiper again.',
  }),
  none: ownRule({
    id: 'editor.none',
    status: 409,
    says: 'An editor runs, or LAUNCH_EDITOR names one.',
    message: () => 'No editor was found. Name one in LAUNCH_EDITOR, such as code, and start Sandpiper again.',
    fix: 'Name an editor in LAUNCH_EDITOR, such as code, and start Sandpiper again.',
  }),
  terminal: ownRule<{ readonly editor: string }>({
    id: 'editor.terminal',
    status: 409,
    says: 'The editor has a window of its own.',
    message: ({ editor }) => `${editor} needs a terminal. Name an editor with a window in LAUNCH_EDITOR, such as code.`,
    fix: 'Name an editor with a window in LAUNCH_EDITOR, and start Sandpiper again.',
  }),
} as const;

export const requestRules = {
  unknown: ownRule<{ readonly id: string; readonly dropped: number; readonly kept: number }>({
    id: 'requests.unknown',
    status: 404,
    says: 'A request that is named is recorded.',
    message: ({ id, dropped, kept }) =>
      `No request ${id} is recorded.${dropped === 0 ? '' : ` ${dropped} older ones were dropped, so that the newest ${kept} fit.`}`,
    fix: 'Name one of those that "sandpiper requests" lists.',
    facts: ({ id, dropped, kept }) => ({ id: id.slice(0, 100), dropped, kept }),
  }),
  headers: ownRule<{ readonly problem: string }>({
    id: 'requests.headers',
    status: 400,
    says: 'The headers of a request that is sent by hand are valid HTTP.',
    message: ({ problem }) => `The headers cannot be sent: ${problem}`,
    fix: 'Leave out the header that is not valid.',
  }),
} as const;

export const recordRules = {
  kind: ownRule<{ readonly kind: string; readonly kinds: readonly string[] }>({
    id: 'records.kind',
    status: 404,
    says: 'Records are of one of the kinds that there are.',
    message: ({ kind, kinds }) => `There are no records of kind "${kind}". Kinds: ${kinds.join(', ')}.`,
    fix: 'Name one of these kinds.',
    facts: ({ kind, kinds }) => ({ kind: kind.slice(0, 100), kinds }),
  }),
  unknown: ownRule<{ readonly kind: string; readonly id: string }>({
    id: 'records.unknown',
    status: 404,
    says: 'A record that is named is stored.',
    message: ({ kind, id }) => `There is no record ${id} of kind "${kind}".`,
    fix: ({ kind }) => `Name one of those that "sandpiper records ${kind}" lists.`,
    facts: ({ kind, id }) => ({ kind, id: id.slice(0, 100) }),
  }),
  stateless: ownRule<{ readonly kind: string }>({
    id: 'records.stateless',
    status: 400,
    says: 'Only records with states are moved.',
    message: ({ kind }) => `Records of kind "${kind}" have no states, so nothing moves them.`,
    fix: 'Move a record of a kind that GET /control/machines lists.',
  }),
  event: ownRule<{ readonly kind: string; readonly event: string; readonly events: readonly string[] }>({
    id: 'records.event',
    status: 400,
    says: 'A record is moved by an event of its kind.',
    message: ({ kind, event, events }) => `"${event}" is no event of ${kind}; events: ${events.join(', ')}.`,
    fix: 'Send one of these events.',
    facts: ({ kind, event, events }) => ({ kind, event: event.slice(0, 100), events }),
  }),
} as const;

export const hostRules = {
  allowed: ownRule<{ readonly host: string }>({
    id: 'hosts.allowed',
    status: 409,
    says: 'A host that is allowed was refused before.',
    message: ({ host }) => `The host ${host} is allowed already.`,
    fix: 'Nothing needs to be allowed.',
  }),
  unknown: ownRule<{ readonly host: string }>({
    id: 'hosts.unknown',
    status: 404,
    says: 'A host that is refused again was allowed while the server ran.',
    message: ({ host }) => `The host ${host} was not allowed while the server ran. Settings lists those that were.`,
    fix: 'Name one of the hosts that Settings lists.',
  }),
  public: ownRule<{ readonly host: string }>({
    id: 'control.public-host',
    status: 400,
    says: 'While the server runs, only names are allowed that no one on the public internet can own.',
    message: ({ host }) =>
      `"${host}" may belong to someone on the internet, whose web page could then call the API by DNS rebinding. Allowed here are names of one label with at least three characters, names below test, localhost, local, internal, home.arpa, example and invalid, and a mapped port of this machine such as localhost:9000. If the name is yours, start with --allow-host.`,
    fix: 'Start with --allow-host if the name is yours.',
    facts: ({ host }) => ({ host: host.slice(0, 100) }),
  }),
} as const;

export const searchRules = {
  empty: ownRule({
    id: 'search.empty',
    status: 400,
    says: 'A search has a word to look for.',
    message: () => 'The question q is empty; name a word to look for.',
    fix: 'Name a word to look for.',
  }),
} as const;

export const webhookRules = {
  app: ownRule<{ readonly appId: string | null; readonly companyId: string | null }>({
    id: 'webhooks.app',
    status: 400,
    says: 'A webhook is made by an app of the company.',
    message: () => 'There is no such app of that company. "sandpiper records apps" lists them.',
    fix: 'Name an app of the company.',
  }),
} as const;

/** These rules as a list. */
export const allResourceRules: readonly AnyRule[] = [
  clockRules,
  timelineRules,
  undoRules,
  uploadRules,
  editorRules,
  requestRules,
  recordRules,
  hostRules,
  searchRules,
  webhookRules,
].flatMap((rules): readonly AnyRule[] => Object.values(rules));
