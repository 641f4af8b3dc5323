/** Rules by which the control API refuses uploaded files, and places of a program to open in an editor. */
import { keptFilesBytes } from '../../features/catalog/files.ts';
import { ownRule } from '../../rules.ts';
import { exampleEditor } from '../../system.ts';

const keptMegabytes = keptFilesBytes / 1_000_000;

/** The end of each refusal that says that a file is gone. */
const sendAgain = `Send it again: the newest ${keptMegabytes} MB of checked files are kept, and a snapshot or an export has none of them.`;

/** The answer of the API to a call that the inspector makes for an upload. */
interface Refused {
  readonly call: string;
  readonly status: number;
  readonly reason: string;
  /** The recorded request. */
  readonly requestId: string | null;
  /** The rule that refused it; null if a fault did. */
  readonly rule: string | null;
  readonly fix: string;
}

export const uploadRules = {
  notKept: ownRule<{ readonly uploadId: string }>({
    id: 'uploads.not-kept',
    status: 409,
    says: 'Only a file that is still kept can be read again.',
    message: ({ uploadId }) => `The file of upload ${uploadId} is no longer kept. ${sendAgain}`,
    fix: 'Send the file again.',
    facts: ({ uploadId }) => ({ uploadId, keptMegabytes }),
  }),
  notChecked: ownRule<{ readonly uploadId: string }>({
    id: 'uploads.not-checked',
    status: 409,
    says: 'Only a checked file can be looked into.',
    message: ({ uploadId }) => `The file of upload ${uploadId} has not been checked yet.`,
    fix: 'Send its file, and wait until it is checked.',
  }),
  notChecking: ownRule<{ readonly uploadId: string }>({
    id: 'uploads.not-checking',
    status: 409,
    says: 'Only a running check can be ended.',
    message: ({ uploadId }) => `The file of upload ${uploadId} is not being checked, so there is nothing to end.`,
    fix: 'Nothing needs to be ended.',
  }),
  line: ownRule<{ readonly uploadId: string; readonly line: number }>({
    id: 'uploads.line',
    status: 404,
    says: 'The line is one of the file.',
    message: ({ uploadId, line }) => `The file of upload ${uploadId} has no line ${line}.`,
    fix: 'Ask for a line of the file; they count from 1.',
  }),
  nothingFixed: ownRule<{ readonly uploadId: string }>({
    id: 'uploads.nothing-fixed',
    status: 409,
    says: 'Only a file with errors that can be fixed mechanically gets a fixed copy.',
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
  refused: ownRule<Refused>({
    id: 'uploads.refused',
    status: 409,
    says: 'The API accepts the call that the inspector makes for an upload.',
    message: ({ call, status, reason }) => `${call} was answered with ${status}: ${reason}`,
    fix: ({ fix }) => fix,
    facts: ({ status, requestId, rule }) => ({ status, requestId, rule }),
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
    says: 'Only a known place in the program that sent a request can be opened.',
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
    message: () => 'The place of this request is not a file with a line and a column.',
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
    message: ({ problem }) =>
      `The editor cannot be run: ${problem}. Name another one in LAUNCH_EDITOR, such as ${exampleEditor}.`,
    fix: 'Name another editor in LAUNCH_EDITOR, and start Sandpiper again.',
  }),
  none: ownRule({
    id: 'editor.none',
    status: 409,
    says: 'An editor runs, or LAUNCH_EDITOR names one.',
    message: () =>
      `No editor was found. Name one in LAUNCH_EDITOR, such as ${exampleEditor}, and start Sandpiper again.`,
    fix: `Name an editor in LAUNCH_EDITOR, such as ${exampleEditor}, and start Sandpiper again.`,
  }),
  terminal: ownRule<{ readonly editor: string }>({
    id: 'editor.terminal',
    status: 409,
    says: 'The editor has a window of its own.',
    message: ({ editor }) =>
      `${editor} needs a terminal. Name an editor with a window in LAUNCH_EDITOR, such as ${exampleEditor}.`,
    fix: 'Name an editor with a window in LAUNCH_EDITOR, and start Sandpiper again.',
  }),
} as const;
