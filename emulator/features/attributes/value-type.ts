import { toEpoch } from '../../contract/formats.ts';
import type { AttributeDefinition } from '../../records.ts';

type AttributeType = AttributeDefinition['type'];

/** What one attribute of one person may be set to. */
export type AttributeInput = string | number | boolean;

/**
 * The type that a first value gives its attribute (docs/platform.md, Custom attributes: "24" makes a number). Texts that read as a number,
 * a boolean or a date count as such.
 */
export function typeOf(value: AttributeInput): AttributeType {
  if (typeof value !== 'string') return typeof value === 'number' ? 'number' : 'boolean';
  return (['number', 'boolean', 'date'] as const).find((type) => isOfType(value, type)) ?? 'string';
}

/** Whether a value may be given to an attribute of the type. Every text fits a string, also one that reads as a number. */
export function isOfType(value: AttributeInput, type: AttributeType): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' || (typeof value === 'string' && /^[+-]?\d+(?:\.\d+)?$/.test(value.trim()));
    case 'boolean':
      return typeof value === 'boolean' || (typeof value === 'string' && /^(?:true|false)$/i.test(value.trim()));
    case 'date':
      return typeof value === 'string' && toEpoch(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00` : value) !== null;
  }
}
