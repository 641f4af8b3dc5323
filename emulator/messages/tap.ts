import type { EventType } from '../contract/event-schemas.ts';
import type { Message } from '../records.ts';

/** What a person does with a message. `link` counts from 0. */
export type Tap =
  | { readonly act: 'open' }
  | { readonly act: 'click'; readonly link?: number }
  | { readonly act: 'unsubscribe' }
  | { readonly act: 'reply'; readonly text: string };

/** What a tap did. */
export interface TapResult {
  /** The message as it is now; of a reply, what the person wrote. */
  readonly message: Message;
  /** In sentences. */
  readonly did: readonly string[];
  /** The types of the events that were sent to webhooks. */
  readonly published: readonly EventType[];
  /** On what that rests, and the sentence that says so. */
  readonly impliedBy: 'specification' | 'observed' | 'assumed';
  readonly says: string;
}
