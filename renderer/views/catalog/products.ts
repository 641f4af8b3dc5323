import type { ProductView } from '../../../emulator/control/calls.ts';

type Price = ProductView['variants'][number]['prices'][number];

/** `12.50 USD`. */
export const toPrice = ({ amount, currencyCode }: Price): string => `${amount} ${currencyCode}`;

/** The prices of a product in its first currency: a single price, or the lowest and the highest. */
export function toPrices({ variants }: ProductView): string {
  const prices = variants.flatMap(({ prices: some }) => some);
  const currency = prices[0]?.currencyCode;
  const amounts = prices
    .filter(({ currencyCode }) => currencyCode === currency)
    .toSorted((a, b) => Number(a.amount) - Number(b.amount));
  const [low, high] = [amounts[0], amounts.at(-1)];
  if (!low || !high) return 'no price';
  return low.amount === high.amount ? toPrice(low) : `${low.amount} – ${toPrice(high)}`;
}
