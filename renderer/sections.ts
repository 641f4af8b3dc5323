import {
  Activity,
  ArrowLeftRight,
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
import HomeView from './views/home/HomeView.vue';
import RequestsView from './views/requests/RequestsView.vue';

export interface Section {
  /** Also the route's name. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly icon: Component;
  readonly group: 'Daily' | 'Records' | 'Tools';
  readonly view: Component | (() => Promise<unknown>);
}

/** Every view, in the order of the sidebar. The first two are there at once, the others come when they are opened. */
export const sections: readonly Section[] = [
  { name: 'home', path: '/', title: 'Home', icon: House, group: 'Daily', view: HomeView },
  {
    name: 'requests',
    path: '/requests/:id?',
    title: 'Requests',
    icon: ArrowLeftRight,
    group: 'Daily',
    view: RequestsView,
  },
  {
    name: 'webhooks',
    path: '/webhooks/:id?',
    title: 'Webhooks',
    icon: Webhook,
    group: 'Daily',
    view: () => import('./views/webhooks/WebhooksView.vue'),
  },
  {
    name: 'subscribers',
    path: '/subscribers/:id?',
    title: 'Subscribers',
    icon: User,
    group: 'Records',
    view: () => import('./views/subscribers/SubscribersView.vue'),
  },
  {
    name: 'catalog',
    path: '/catalog/:id?',
    title: 'Catalog',
    icon: Box,
    group: 'Records',
    view: () => import('./views/catalog/CatalogView.vue'),
  },
  {
    name: 'offers',
    path: '/offers/:id?',
    title: 'Offers',
    icon: Tag,
    group: 'Records',
    view: () => import('./views/offers/OffersView.vue'),
  },
  {
    name: 'privacy',
    path: '/privacy/:id?',
    title: 'Privacy requests',
    icon: ShieldCheck,
    group: 'Records',
    view: () => import('./views/privacy/PrivacyView.vue'),
  },
  {
    name: 'attributes',
    path: '/attributes/:id?',
    title: 'Attributes',
    icon: List,
    group: 'Records',
    view: () => import('./views/attributes/AttributesView.vue'),
  },
  {
    name: 'units',
    path: '/sign-up-units/:id?',
    title: 'Sign-up units',
    icon: ClipboardList,
    group: 'Records',
    view: () => import('./views/units/UnitsView.vue'),
  },
  {
    name: 'apps',
    path: '/apps/:id?',
    title: 'Apps and keys',
    icon: KeyRound,
    group: 'Records',
    view: () => import('./views/apps/AppsView.vue'),
  },
  {
    name: 'try',
    path: '/try/:operation?',
    title: 'Try it',
    icon: Play,
    group: 'Tools',
    view: () => import('./views/try/TryView.vue'),
  },
  {
    name: 'faults',
    path: '/faults',
    title: 'Faults and limits',
    icon: Zap,
    group: 'Tools',
    view: () => import('./views/faults/FaultsView.vue'),
  },
  {
    name: 'snapshots',
    path: '/snapshots',
    title: 'Snapshots',
    icon: Layers,
    group: 'Tools',
    view: () => import('./views/snapshots/SnapshotsView.vue'),
  },
  {
    name: 'problems',
    path: '/problems',
    title: 'Server errors',
    icon: Activity,
    group: 'Tools',
    view: () => import('./views/problems/ProblemsView.vue'),
  },
  {
    name: 'settings',
    path: '/settings',
    title: 'Settings',
    icon: Settings,
    group: 'Tools',
    view: () => import('./views/settings/SettingsView.vue'),
  },
];
