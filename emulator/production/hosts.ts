/**
 * Decides which connections of a program go to the sandbox, and which are blocked (docs/zero-change.md). Pure and
 * without imports, because the preload loads it into programs of other people.
 */

/** The settings that `sandpiper exec --as-production` passes to its processes, as JSON in `SANDPIPER_AS_PRODUCTION`. */
export interface ProductionSettings {
  /** The port of 127.0.0.1 on which the sandbox listens. */
  readonly port: number;
  /** Names of the platform's hosts: connections to them go to the sandbox. */
  readonly hosts: readonly string[];
  /** Whether every other host outside this machine is blocked, too. */
  readonly offline: boolean;
  /** A file that gets a line of JSON for each blocked connection: `{ host, port, why }`. */
  readonly report: string;
}

/** The environment variable with these settings. */
export const productionVariable = 'SANDPIPER_AS_PRODUCTION';

/**
 * The header with the place that made a request: `shop.ts:42:9`, percent-encoded; relative if it is in the working
 * folder.
 */
export const siteHeader = 'x-sandbox-call-site';
/** The header with the name of the test that runs, percent-encoded. */
export const testHeader = 'x-sandbox-test';
/** How many characters of both headers are sent and read. */
export const longestSite = 500;

/** The hosts that public clients of the platform have in their code. */
export const platformHosts: readonly string[] = ['api.attentivemobile.com', 'ui.attentivemobile.com'];

/** Services that send messages or mail to real people; a name also means the names below it. */
const services: readonly string[] = [
  'twilio.com',
  'sendgrid.com',
  'sendgrid.net',
  'mailgun.net',
  'mailgun.org',
  'postmarkapp.com',
  'klaviyo.com',
  'mailchimp.com',
  'mandrillapp.com',
  'resend.com',
  'brevo.com',
  'sendinblue.com',
  'messagebird.com',
  'bird.com',
  'nexmo.com',
  'vonage.com',
  'plivo.com',
  'sinch.com',
  'telnyx.com',
  'infobip.com',
  'clicksend.com',
  'bandwidth.com',
  'onesignal.com',
  'customer.io',
  'braze.com',
  'braze.eu',
  'iterable.com',
  'sparkpost.com',
  'mailjet.com',
  'elasticemail.com',
  'mailersend.com',
  'smtp2go.com',
  'loops.so',
  'attentivemobile.com',
  'attn.tv',
];

/** Amazon's hosts for mail and messages: `email.us-east-1.amazonaws.com`, `email-smtp.…`, `sns.…`, `sms-voice.…`. */
const ofAmazon = /(?:email|email-smtp|sns|sms-voice|pinpoint)\.[a-z0-9-]+\.amazonaws\.com/;

const senders = new RegExp(`^(?:(?:.*\\.)?(?:${services.join('|').replaceAll('.', '\\.')})|${ofAmazon.source})$`);

const thisMachine = /^(?:|(?:.*\.)?localhost|127\.\d+\.\d+\.\d+|::1?|0\.0\.0\.0|::ffff:127\..*)$/;

/** Ports on which mail servers accept mail. */
const mailPorts: readonly number[] = [25, 465, 587, 2525];

/** Whether a text is the name of a host, not a URL or an address: the last part of a name is never a number. */
export function isHostName(text: string): boolean {
  return (
    text.length < 254 &&
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i.test(text) &&
    !/\.\d+$/.test(text)
  );
}

/** Where a connection goes: to the sandbox, to its original target, or nowhere, and why. */
export type Route =
  | { readonly to: 'sandbox' }
  | { readonly to: 'target' }
  | { readonly to: 'nowhere'; readonly why: 'sends messages' | 'sends mail' | 'offline' };

/** @param host as a program writes it: in any case, with or without the brackets of IPv6 or a dot at the end */
export function routeOf(
  host: string,
  port: number,
  { hosts, offline }: Pick<ProductionSettings, 'hosts' | 'offline'>,
): Route {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  if (hosts.includes(name)) return { to: 'sandbox' };
  if (thisMachine.test(name)) return { to: 'target' };
  if (senders.test(name)) return { to: 'nowhere', why: 'sends messages' };
  if (mailPorts.includes(port)) return { to: 'nowhere', why: 'sends mail' };
  return offline ? { to: 'nowhere', why: 'offline' } : { to: 'target' };
}

type Reason = Extract<Route, { to: 'nowhere' }>['why'];

/** A connection that is blocked. */
export interface BlockedConnection {
  readonly host: string;
  readonly port: number;
  readonly why: Reason;
}

/** The id of the rule by which connections are blocked (rules.ts). */
export const blockedRule = 'exec.blocked';

/** Why a connection was blocked, as a sentence. */
export function sayBlocked({
  host,
  port,
  why,
}: Omit<BlockedConnection, 'port'> & { readonly port: number | string }): string {
  const reason = {
    'sends messages': 'it is a service that sends messages to real people',
    'sends mail': `port ${port} is one that mail is sent to`,
    offline: '--offline allows connections to this machine only',
  }[why];
  return `sandpiper exec --as-production blocked a connection to ${host}:${port}: ${reason}.`;
}

/** The smallest change after which the program is not blocked, as a sentence. */
export function fixBlocked({ host, why }: Pick<BlockedConnection, 'host' | 'why'>): string {
  return {
    'sends messages': `Let the program use a stand-in for ${host} on this machine: connections to this machine are allowed.`,
    'sends mail': 'Send the mail to a mail server on this machine: connections to this machine are allowed.',
    offline: `Start without --offline, or let the program use a stand-in for ${host} on this machine.`,
  }[why];
}

/**
 * The value of `SANDPIPER_AS_PRODUCTION` for Python programs (sitecustomize.py): the settings, and the data by which
 * `routeOf` decides, in patterns that mean the same in both languages.
 * @param tls the port of 127.0.0.1 where a TLS connection to one of the platform's hosts ends, and the file with the
 * certificate of the run's authority
 */
export function withRoutes(
  settings: ProductionSettings,
  tls: { readonly tlsPort: number; readonly authority: string },
): object {
  const reasons: readonly Reason[] = ['sends messages', 'sends mail', 'offline'];
  const say = (why: Reason): string => {
    const blocked = { host: '{host}', port: '{port}', why };
    return `${sayBlocked(blocked)} ${fixBlocked(blocked)}`;
  };
  return {
    ...settings,
    ...tls,
    thisMachine: thisMachine.source,
    senders: senders.source,
    mailPorts,
    rule: blockedRule,
    says: Object.fromEntries(reasons.map((why) => [why, say(why)])),
  };
}
