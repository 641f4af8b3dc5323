import {
  Activity,
  ArrowLeftRight,
  ChartNoAxesGantt,
  BookOpen,
  Box,
  ClipboardList,
  House,
  KeyRound,
  Layers,
  List,
  Play,
  Settings,
  ShieldCheck,
  Tag,
  User,
  Webhook,
  Zap,
} from 'lucide-vue-next';
import type { Component } from 'vue';
import { sectionList, type SectionName } from './section-list.ts';
import HomeView from './views/home/HomeView.vue';
import RequestsView from './views/requests/RequestsView.vue';

type View = Component | (() => Promise<unknown>);

/** The icon and the view of each section. Home and Requests load with the page, other views when they are opened. */
const faces: { readonly [Name in SectionName]: { readonly icon: Component; readonly view: View } } = {
  home: { icon: House, view: HomeView },
  requests: { icon: ArrowLeftRight, view: RequestsView },
  timeline: { icon: ChartNoAxesGantt, view: () => import('./views/timeline/TimelineView.vue') },
  webhooks: { icon: Webhook, view: () => import('./views/webhooks/WebhooksView.vue') },
  subscribers: { icon: User, view: () => import('./views/subscribers/SubscribersView.vue') },
  catalog: { icon: Box, view: () => import('./views/catalog/CatalogView.vue') },
  offers: { icon: Tag, view: () => import('./views/offers/OffersView.vue') },
  privacy: { icon: ShieldCheck, view: () => import('./views/privacy/PrivacyView.vue') },
  attributes: { icon: List, view: () => import('./views/attributes/AttributesView.vue') },
  units: { icon: ClipboardList, view: () => import('./views/units/UnitsView.vue') },
  apps: { icon: KeyRound, view: () => import('./views/apps/AppsView.vue') },
  try: { icon: Play, view: () => import('./views/try/TryView.vue') },
  faults: { icon: Zap, view: () => import('./views/faults/FaultsView.vue') },
  snapshots: { icon: Layers, view: () => import('./views/snapshots/SnapshotsView.vue') },
  problems: { icon: Activity, view: () => import('./views/problems/ProblemsView.vue') },
  reference: { icon: BookOpen, view: () => import('./views/reference/ReferenceView.vue') },
  settings: { icon: Settings, view: () => import('./views/settings/SettingsView.vue') },
};

/** Every section, in the order of the sidebar. */
export const sections = sectionList.map((row) => ({ ...row, ...faces[row.name] }));
