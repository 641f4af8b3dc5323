import { ArrowRight, Check, CircleDashed, TriangleAlert, X } from 'lucide-vue-next';
import type { Component } from 'vue';

/**
 * The class of a status, also the name of its colour; null is a request without an answer.
 * @param refused an answer that reports a refusal is not a success, whatever its status: GraphQL answers it with 200
 */
export function toStatusClass(status: number | null, refused = false): string {
  if (status === null || status < 200) return 'pending';
  return refused && status < 400 ? 's4xx' : `s${Math.min(5, Math.floor(status / 100))}xx`;
}

/** Never colour alone: each class has its sign. */
export function toStatusIcon(status: number | null, refused = false): Component {
  if (status === null) return CircleDashed;
  if (refused && status < 400) return TriangleAlert;
  if (status < 300) return Check;
  if (status < 400) return ArrowRight;
  return status < 500 ? TriangleAlert : X;
}
