import { ownRule } from '../../rules.ts';
import type { StoreProblem } from '../../store/errors.ts';
import type { IllegalMoveView } from '../contract/refusals.ts';

/** Facts about a move that the state of a record does not allow. */
interface IllegalMoveFacts extends Pick<IllegalMoveView, 'state' | 'event' | 'open'> {
  readonly message: string;
}

/** The control API's rules for all resources. */
export const controlRules = {
  move: ownRule<IllegalMoveFacts>({
    id: 'control.move',
    status: 409,
    says: 'A record accepts only the moves of its state.',
    // The table of states knows why it refuses the move, see machine/table.ts.
    message: ({ message }) => message,
    fix: ({ open }) =>
      open.length === 0 ? 'Wait until the record moves on its own.' : `Send one of ${open.join(', ')}.`,
    facts: ({ state, event, open }) => ({ state, event, open }),
  }),
  store: ownRule<StoreProblem>({
    id: 'control.store',
    status: 507,
    says: 'The disk accepts the data that a control request writes, and the files that the request reads are whole.',
    message: ({ problem }) => problem,
    fix: ({ fix }) => fix,
    facts: ({ code }) => ({ code }),
  }),
  unknownPath: ownRule<{ readonly method: string; readonly path: string }>({
    id: 'control.unknown-path',
    status: 404,
    says: 'The path is one of control-openapi.json.',
    message: ({ method, path }) =>
      `There is nothing at ${method} ${path}. GET /control/control-openapi.json describes the control API.`,
    fix: 'Send it to a path of GET /control/control-openapi.json.',
    facts: ({ method, path }) => ({ method, path: path.slice(0, 200) }),
  }),
  origin: ownRule<{ readonly origin: string }>({
    id: 'control.origin',
    status: 403,
    says: 'No page except the inspector calls the control API.',
    message: ({ origin }) =>
      `Pages of ${JSON.stringify(origin)} may not call the control API; only the inspector's own origin may.`,
    fix: 'Call it from a program, not from a page.',
    facts: ({ origin }) => ({ origin: origin.slice(0, 200) }),
  }),
  token: ownRule<{ readonly api: string }>({
    id: 'control.token',
    status: 401,
    says: 'Control requests carry "Authorization: Bearer TOKEN".',
    message: ({ api }) =>
      `The control API needs "Authorization: Bearer TOKEN". The token is printed at start and is in the file control.json of the data folder. The emulated API has another port: ${api}.`,
    fix: 'Send the token that was printed at start, or that is in control.json.',
  }),
} as const;
