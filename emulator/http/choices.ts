/**
 * Choices at the start: for unknown behaviour of the platform, or to get more than the platform does.
 * The first of each is the default.
 */
export const choices = {
  /** Fields that no operation names, and names that an object has twice: accepted with a note, or refused with 400. */
  unknownFields: ['note', 'refuse'],
  /** Unsubscribing a person unknown to the company: 404, or 202 as recorded clients expect. */
  unknownUnsubscribe: ['refuse', 'accept'],
  /** Errors: with everything that explains them, or as they were observed on the live host. */
  answers: ['helpful', 'exact'],
} as const;

/** One value for each choice. */
export type Choices = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] };

type ChoiceName = keyof typeof choices;

/** Something made of the words of each choice, under its name. `Made` says what `make` returns for which choice. */
export function ofEachChoice<Made extends { readonly [Name in ChoiceName]: unknown }>(
  make: (name: ChoiceName, words: readonly string[]) => unknown,
): Made {
  const names = Object.keys(choices) as readonly ChoiceName[];
  return Object.fromEntries(names.map((name) => [name, make(name, choices[name])])) as Made;
}

/** The choices if none are given. */
export const defaultChoices = ofEachChoice<Choices>((_name, [first]) => first);
