/** The control API's shapes, by name. Types only. */
export type { NewCompanyView, NewKeyView } from './contract/accounts.ts';
export type { AttributeLineView, AttributeValuesView } from './contract/attributes.ts';
export type { CatalogRulesView, ProductView, ProductsView } from './contract/catalog.ts';
export type { ClockChangeView, ClockView, DueView, PaceView } from './contract/clock.ts';
export type { FoundView, PrivacyMatchesView, SummaryView } from './contract/companies.ts';
export type {
  DeliveriesView,
  DeliveryAttemptView,
  DeliveryCountsView,
  DeliveryDetailView,
  DeliveryLineView,
  DeliveryStateView,
  DeliveryView,
} from './contract/deliveries.ts';
export type { EventPreviewView, EventTypeView, FiredView, GymView, SignatureCheckView } from './contract/events.ts';
export type { FaultView, FaultsView, LimitsView } from './contract/faults.ts';
export type { TapView, MessageView } from './contract/messages.ts';
export type { CodesView, DatesView } from './contract/offers.ts';
export type { CauseView, ChangeView, DoneView, RequestSummary } from './contract/parts.ts';
export type {
  HistoryEntryView,
  HistoryGroup,
  PeopleView,
  PersonAttributeView,
  PersonDeliveryView,
  PersonHistoryView,
  PersonLineView,
  PersonSubscriptionView,
  PersonView,
} from './contract/people.ts';
export type { ReceiverView } from './contract/receiver.ts';
export type {
  AppRecord,
  AuthorizationCodeRecord,
  CompanyRecord,
  CredentialRecord,
  Kind,
  MachineView,
  MachinesView,
  MoverView,
  OfferRecord,
  OfferUploadRecord,
  PrivacyRequestRecord,
  RecordOf,
  RecordsView,
  RecordView,
  UploadRecord,
} from './contract/records.ts';
export type { EditView, IllegalMoveView, PlaceView, RefusalView } from './contract/refusals.ts';
export type { BytesView, ChainView, RequestView, SentView } from './contract/requests.ts';
export type { UnitLineView, UnitPeopleView } from './contract/sign-up-units.ts';
export type {
  RedoableView,
  RedoneView,
  RestoredView,
  SnapshotView,
  UndoableView,
  UndoneView,
} from './contract/snapshots.ts';
export type {
  FirstStepsView,
  HealthView,
  NoticeView,
  OwnErrorView,
  SettingsView,
  WelcomeView,
} from './contract/status.ts';
export type { StreamMessage } from './contract/stream.ts';
export type { TimelineGroupView, TimelineSpreadView, TimelineView } from './contract/timeline.ts';
export type {
  CatalogIssuesView,
  NewUploadView,
  UploadChangesView,
  UploadFileView,
  UploadLineView,
} from './contract/uploads.ts';
export type { ReachView, WebhookLineView, WebhookView } from './contract/webhooks.ts';
