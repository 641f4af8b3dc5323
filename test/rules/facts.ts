import type { RefusalView } from '../../emulator/control/calls.ts';

/** Rules whose sentence comes from another part as a sentence, with the reason. */
const wordedElsewhere: { readonly [rule: string]: string } = {
  'faults.header': 'Its words are those of POST /control/faults.',
  'graphql.variables': 'Its words are those of the GraphQL engine, with values of the request.',
};

/** Times, and whole or decimal numbers that are not part of a word, an address or a phone number. */
const numbers = /(?:[+-]\d\d)?\d{4}-\d\d-\d\dT[\d:.]+Z|(?<![\w+./:#%-])\d[\d,]*(?:\.\d+)?(?![\w/:-]|\.\d)/g;

/** The numbers of the words of a rule, other than those of a standard, a section, a status or a position. */
export function numbersOf(says: string): readonly string[] {
  const own = says
    .replaceAll(/\b(?:ISO|RFC) \d+/g, ' ')
    .replaceAll(/(?:\bsection |status |is |from |=)\d(?:\.\d)*(?:\d\d)?\b/g, ' ');
  return own.match(numbers) ?? [];
}

/** The numbers and times that a refusal's message says, but neither its facts nor the value that was sent. */
export function numbersWithoutFact({ rule, message, value, facts }: RefusalView): readonly string[] {
  if (rule in wordedElsewhere) return [];
  const own = message
    // Quotes show what was sent, or how to write it.
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, ' ')
    .replaceAll(/\bsuch as \S+/g, ' ')
    .replaceAll(/\b(?:ISO|RFC) \d+/g, ' ')
    // A section of the specification.
    .replaceAll(/\(\d(?:\.\d)+\)/g, ' ');
  const known = JSON.stringify([value, facts]);
  const isKnown = (number: string): boolean =>
    new RegExp(`(?<!\\d)${number.replaceAll(/[.+]/g, String.raw`\$&`)}(?!\\d)`).test(known);
  const said = own.match(numbers) ?? [];
  return said.map((number) => number.replaceAll(',', '')).filter((number) => !isKnown(number));
}
