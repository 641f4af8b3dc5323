import { rule, show, type AnyRule, type Rule } from '../../rules.ts';

interface Said {
  /** The problem, as one or two sentences with what to do. */
  readonly message: string;
}

/** A move that the state of a record does not take. */
interface Refused extends Said {
  readonly state: string;
  readonly event: string;
  readonly open: readonly string[];
}

const section = 'control API';

function controlRule(id: string, status: number, says: string): Rule<Said> {
  return rule<Said>({
    id,
    status,
    section,
    provenance: 'assumed',
    says,
    message: ({ message }) => message,
    fix: () => ({ say: 'The message says what to do.', edits: [] }),
  });
}

/** The control API's rules for all resources. Rules about one resource are with its feature. */
export const controlRules = {
  notFound: controlRule('control.not-found', 404, 'What a control request names exists.'),
  request: controlRule('control.request', 400, 'A control request says what to do, and says it once.'),
  conflict: controlRule('control.conflict', 409, 'The current state allows what a control request asks for.'),
  move: rule<Refused>({
    ...controlRule('control.move', 409, 'A record takes the moves that its state has.'),
    facts: ({ state, event, open }) => ({ state, event, open }),
  }),
  store: controlRule('control.store', 507, 'The disk has room for what a control request writes.'),
  unknownPath: controlRule('control.unknown-path', 404, 'The path is one of control-openapi.json.'),
  origin: controlRule('control.origin', 403, 'No page except the inspector calls the control API.'),
  publicHost: rule<{ readonly host: string }>({
    id: 'control.public-host',
    status: 400,
    section,
    provenance: 'assumed',
    says: 'While the server runs, only names are allowed that no one on the public internet can own.',
    message: ({ host }) =>
      `${show(host)} may belong to someone on the internet, whose web page could then call the API by DNS rebinding. Allowed here are names of one label with at least three characters, names below test, localhost, local, internal, home.arpa, example and invalid, and a mapped port of this machine such as localhost:9000. If the name is yours, start with --allow-host.`,
    fix: () => ({ say: 'Start with --allow-host if the name is yours.', edits: [] }),
  }),
  token: controlRule('control.token', 401, 'Control requests carry "Authorization: Bearer TOKEN".'),
} as const;

/** These rules as a list. */
export const allControlRules: readonly AnyRule[] = Object.values(controlRules);
