import type { MessageType } from '../contract/event-schemas.ts';

/**
 * The texts that the platform sends by itself. Documented: a text to people who subscribe or unsubscribe again (section
 * 4, Subscribe 2, Unsubscribe 3). Observed: a text that asks to reply Y, which singleOptIn omits (docs/platform.md,
 * Subscriptions). Assumed: that the welcome text is then sent instead, the reply to HELP, and all wording.
 */
export type Language = 'en' | 'fr';

type Wording = (company: string) => string;

const wordings = {
  confirm: {
    en: (company) =>
      `${company}: Reply Y to confirm that you want texts. Msg & data rates may apply. Reply HELP for help, STOP to cancel.`,
    fr: (company) =>
      `${company} : répondez Y pour confirmer votre abonnement. Des frais peuvent s'appliquer. HELP pour de l'aide, STOP pour annuler.`,
  },
  welcome: {
    en: (company) => `${company}: You are subscribed to our texts. Reply HELP for help, STOP to cancel.`,
    fr: (company) => `${company} : vous êtes abonné à nos textos. HELP pour de l'aide, STOP pour annuler.`,
  },
  already: {
    en: (company) => `${company}: You are already subscribed to our texts. Reply HELP for help, STOP to cancel.`,
    fr: (company) => `${company} : vous êtes déjà abonné à nos textos. HELP pour de l'aide, STOP pour annuler.`,
  },
  stopped: {
    en: (company) => `${company}: You are unsubscribed and will get no more texts. Reply START to come back.`,
    fr: (company) => `${company} : vous êtes désabonné et ne recevrez plus de textos. START pour revenir.`,
  },
  /** For a person who still has another subscription to texts. */
  'stopped in part': {
    en: (company) =>
      `${company}: You are unsubscribed from these texts and still get others. Reply STOP to end them all.`,
    fr: (company) =>
      `${company} : vous êtes désabonné de ces textos, et en recevez encore d'autres. STOP pour tout arrêter.`,
  },
  help: {
    en: (company) => `${company}: Texts about offers and orders. Reply STOP to cancel. Msg & data rates may apply.`,
    fr: (company) =>
      `${company} : textos sur nos offres et vos commandes. STOP pour annuler. Des frais peuvent s'appliquer.`,
  },
} as const satisfies { readonly [name: string]: { readonly [L in Language]: Wording } };

export type AutomaticText = keyof typeof wordings;

/** `message.type` of each, from the values that public descriptions list (docs/platform.md, Webhook deliveries). */
const types: { readonly [T in AutomaticText]: MessageType } = {
  confirm: 'CONFIRM_OPT_IN',
  welcome: 'AUTO_RESPONSE',
  already: 'AUTO_RESPONSE',
  stopped: 'OPT_OUT',
  'stopped in part': 'OPT_OUT',
  help: 'HELP',
};

interface AutomaticMessage {
  readonly type: MessageType;
  readonly name: string;
  readonly text: string;
}

/** An automatic text as it is sent. */
export function toAutomaticText(kind: AutomaticText, company: string, language: Language): AutomaticMessage {
  const wording: Wording = wordings[kind][language];
  let text = texts.get(wording);
  if (text?.company !== company) {
    text = { company, type: types[kind], name: `Automatic: ${kind}`, text: wording(company) };
    texts.set(wording, text);
  }
  return text;
}

/** The last text of each wording, cached so that thousands of messages share it. */
const texts = new Map<Wording, AutomaticMessage & { readonly company: string }>();

const words: { readonly [word: string]: 'stop' | 'help' | 'yes' | 'start' } = {
  STOP: 'stop',
  STOPALL: 'stop',
  UNSUBSCRIBE: 'stop',
  CANCEL: 'stop',
  END: 'stop',
  QUIT: 'stop',
  ARRET: 'stop',
  HELP: 'help',
  INFO: 'help',
  AIDE: 'help',
  Y: 'yes',
  YES: 'yes',
  OUI: 'yes',
  START: 'start',
  UNSTOP: 'start',
};

/** The meaning of a reply; null if it is not one of the carriers' keywords. */
export function readReply(text: string): 'stop' | 'help' | 'yes' | 'start' | null {
  return words[text.trim().normalize('NFC').toUpperCase().replaceAll('Ê', 'E')] ?? null;
}
