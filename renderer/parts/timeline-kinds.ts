import { ArrowLeftRight, CircleDot, Hand, Hourglass, MessageSquare, PencilLine, Webhook, Zap } from 'lucide-vue-next';
import type { Component } from 'vue';
import type { TimelineKind as Kind } from '../../emulator/control/calls.ts';

export const kindIcons: { readonly [K in Kind]: Component } = {
  request: ArrowLeftRight,
  change: CircleDot,
  delivery: Webhook,
  message: MessageSquare,
  person: Hand,
  clock: Hourglass,
  edit: PencilLine,
  fault: Zap,
};

/** The names on the buttons above the list. */
export const kindNames: { readonly [K in Kind]: string } = {
  request: 'Requests',
  change: 'Changes',
  delivery: 'Deliveries',
  message: 'Messages',
  person: 'People',
  edit: 'By hand',
  clock: 'Clock',
  fault: 'Faults',
};

/** The kinds in the order of those buttons. */
export const kinds = Object.keys(kindNames) as readonly Kind[];

/** The noun for one entry, for screen readers and the detail. */
export const kindNouns: { readonly [K in Kind]: string } = {
  request: 'Request',
  change: 'Change',
  delivery: 'Delivery',
  message: 'Message',
  person: 'A person',
  clock: 'Clock',
  edit: 'By hand',
  fault: 'Fault',
};
