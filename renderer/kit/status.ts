import { ArrowRight, Check, CircleDashed, TriangleAlert, X } from 'lucide-vue-next';
import type { Component } from 'vue';

/** The class of a status, also the name of its colour; null is a request without an answer. */
export function toStatusClass(status: number | null): string {
  return status === null || status < 200 ? 'pending' : `s${Math.min(5, Math.floor(status / 100))}xx`;
}

/** Never colour alone: each class has its sign. */
export function toStatusIcon(status: number | null): Component {
  if (status === null) return CircleDashed;
  if (status < 300) return Check;
  if (status < 400) return ArrowRight;
  return status < 500 ? TriangleAlert : X;
}
