import { toEpoch } from '../../contract/formats.ts';
import type { AttributeDefinition } from '../../records.ts';

type AttributeType = AttributeDefinition['type'];

/** A value that an attribute of a person may have. */
export type AttributeInput = string | number | boolean;

/**
 * The type that a first value gives its attribute: its JSON type. A text is a text, whatever it looks like, because any
 * text may follow it (section 4, Custom attributes (POST), 4: custom input accepts any value). Dates are only created
 * by hand.
 */
export function typeOf(value: AttributeInput): AttributeType {
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'number' : 'boolean';
}

/**
 * Whether a value may be given to an attribute of the type. Every text fits a string; a text that reads as a number, a
 * boolean or a date fits that type (docs/platform.md, Custom attributes: "24" is sent for a number).
 */
export function isOfType(value: AttributeInput, type: AttributeType): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return (
        typeof value === 'number' ||
        (typeof value === 'string' && /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value.trim()))
      );
    case 'boolean':
      return typeof value === 'boolean' || (typeof value === 'string' && /^(?:true|false)$/i.test(value.trim()));
    case 'date':
      return typeof value === 'string' && toEpoch(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00` : value) !== null;
  }
}
