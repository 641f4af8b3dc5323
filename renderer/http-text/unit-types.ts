import type { Body } from '../../emulator/control/calls.ts';

export type UnitType = Body<'POST /control/sign-up-units'>['type'];

/** Every type once: a missing type is a type error here. */
const each: { readonly [T in UnitType]: true } = { MARKETING: true, TRANSACTIONAL: true, CHECKOUT_ABANDONED: true };

/** The types of sign-up units, and of the subscriptions that come through them. */
export const unitTypes = Object.keys(each) as readonly UnitType[];
