import { ArrowRight, Check, CircleDashed, TriangleAlert, X } from 'lucide-vue-next';
import type { Component } from 'vue';

/**
 * The class of a status, which is also the name of its colour; null is a request without an answer.
 * @param refused whether the answer reports a refusal: it then counts as one, whatever its status. GraphQL sends 200
 */
export function toStatusClass(status: number | null, refused = false): string {
  if (status === null || status < 200) return 'pending';
  return refused && status < 400 ? 's4xx' : `s${Math.min(5, Math.floor(status / 100))}xx`;
}

/** The icon of a status class, so that colour is never the only sign. */
export function toStatusIcon(status: number | null, refused = false): Component {
  if (status === null) return CircleDashed;
  if (refused && status < 400) return TriangleAlert;
  if (status < 300) return Check;
  if (status < 400) return ArrowRight;
  return status < 500 ? TriangleAlert : X;
}
