/** How a text is split into SMS parts (GSM 03.38 and 03.40). */

/** The characters of the default alphabet of GSM 7 bit, which take one unit each. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** The characters of its extension table, which take two units: an escape comes before each. */
const extended = new Set('\f^{}\\[~]|€');

/** How many units one part has, and each of several, which also have a header. */
const room = { 'GSM-7': { alone: 160, each: 153 }, 'UCS-2': { alone: 70, each: 67 } } as const;

export interface SmsParts {
  readonly encoding: keyof typeof room;
  readonly parts: number;
}

/** The encoding of a text that a phone gets, and the number of its parts. A character is never split. Pure. */
export function toSmsParts(text: string): SmsParts {
  const characters = [...text];
  const encoding = characters.every((one) => basic.has(one) || extended.has(one)) ? 'GSM-7' : 'UCS-2';
  const { alone, each } = room[encoding];
  const sizes = characters.map((one) => (encoding === 'UCS-2' ? one.length : extended.has(one) ? 2 : 1));
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return { encoding, parts: 1 };
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > each) {
      parts += 1;
      used = 0;
    }
    used += size;
  }
  return { encoding, parts };
}
