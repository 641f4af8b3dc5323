/** A behaviour that is neither a shape, a refusing rule, nor a move of a lifecycle, and where it comes from. */
import type { Provenance } from '../../contract/schema.ts';

export interface Behaviour {
  /** A stable id, like the ids of rules. */
  readonly id: string;
  readonly says: string;
  /** A section of the specification, or a topic of docs/platform.md. */
  readonly source: string;
  readonly provenance: Provenance;
  /** Why it is so, if the source does not say it. */
  readonly reason?: string;
}

/** A behaviour that the specification states. */
export function documented(id: string, source: string, says: string): Behaviour {
  return { id, source, provenance: 'documented', says };
}

/** A behaviour that public descriptions or working clients show. */
export function observed(id: string, source: string, says: string): Behaviour {
  return { id, source, provenance: 'observed', says };
}

/** A behaviour of our own choice. */
export function assumed(id: string, source: string, says: string, reason: string): Behaviour {
  return { id, source, provenance: 'assumed', says, reason };
}
