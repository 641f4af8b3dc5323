import type { Sandbox } from '../support/sandbox.ts';
import type { Violation } from './violation.ts';

const range = { distributionStart: '2026-12-01T00:00:00Z', distributionStop: '2026-12-10T00:00:00Z' };
const nextRange = { distributionStart: '2026-12-10T00:00:00Z', distributionStop: '2026-12-20T00:00:00Z' };
const noEdit = 'Codes for one offer do no good in another.';
const noTime = 'An offer keeps the range of an upload, and no other may overlap it.';
const post = (offer: string) => ({ method: 'POST', path: `/coupons/coupon-pool/${offer}/create` });
const dated = post('54100');
const upload = (offer: string, json: object) => async (sandbox: Sandbox) =>
  void (await sandbox.call('POST', post(offer).path, { json }));

export const offerViolations: readonly Violation[] = [
  { rule: 'offers.id', request: { ...post('offer-54100'), json: { codes: ['A'], ...range } } },
  { rule: 'offers.id', request: { ...post('WINTER'), json: { codes: ['A'], ...range } }, noEdit },
  { rule: 'offers.id', request: { ...post('9223372036854775808'), json: { codes: ['A'], ...range } }, noEdit },
  { rule: 'offers.unknown', request: { ...post('54199'), json: { codes: ['A'], ...range } }, noEdit },
  { rule: 'offers.unknown', request: { ...post('90001'), json: { codes: ['A'], ...range } }, noEdit },
  { rule: 'offers.uploads-disabled', request: { ...post('54103'), json: { codes: ['A'], ...range } }, noEdit },
  {
    rule: 'offers.too-many-codes',
    request: { ...dated, json: { codes: Array.from({ length: 200_001 }, (_code, at) => `C${at}`), ...range } },
  },
  {
    rule: 'offers.too-many-codes',
    request: { ...dated, json: { codes: Array.from({ length: 200_101 }, (_code, at) => `C${at}`), ...range } },
  },
  { rule: 'offers.code-text', request: { ...dated, json: { codes: ['A', '', 'B'], ...range } } },
  {
    rule: 'offers.utc-timestamp',
    request: { ...dated, json: { codes: ['A'], ...range, distributionStart: '2026-12-01T00:00:00+02:00' } },
  },
  {
    rule: 'offers.utc-timestamp',
    request: { ...dated, json: { codes: ['A'], ...range, distributionStart: 'tomorrow' } },
    noEdit: 'When that is, is not clear.',
  },
  {
    rule: 'offers.utc-timestamp',
    request: {
      ...dated,
      json: { codes: ['A'], distributionStart: '2026-12-01T00:00:00', distributionStop: 'next week' },
    },
    noEdit: 'When that is, is not clear.',
  },
  {
    rule: 'offers.both-dates',
    request: { ...dated, json: { codes: ['A'], distributionStop: range.distributionStop } },
    noEdit: noTime,
  },
  {
    rule: 'offers.both-dates',
    request: { ...dated, json: { codes: ['A'], distributionStart: range.distributionStart } },
    noEdit: noTime,
  },
  {
    rule: 'offers.both-dates',
    request: {
      ...dated,
      json: { codes: ['A'], ...range, distributionStop: null, distribution_stop: '2026-12-10T00:00:00Z' },
    },
  },
  {
    rule: 'offers.start-before-stop',
    request: {
      ...dated,
      json: { codes: ['A'], distributionStart: range.distributionStop, distributionStop: range.distributionStart },
    },
  },
  {
    rule: 'offers.start-before-stop',
    request: {
      ...dated,
      json: { codes: ['A'], distributionStart: range.distributionStart, distributionStop: range.distributionStart },
    },
    noEdit: noTime,
  },
  {
    rule: 'offers.range-overlap',
    request: {
      ...dated,
      json: { codes: ['B'], distributionStart: '2026-12-05T00:00:00Z', distributionStop: '2026-12-15T00:00:00Z' },
    },
    before: upload('54100', { codes: ['A'], ...range }),
  },
  {
    rule: 'offers.range-overlap',
    request: {
      ...dated,
      json: { codes: ['B'], distributionStart: '2026-12-02T00:00:00Z', distributionStop: '2026-12-03T00:00:00Z' },
    },
    before: upload('54100', { codes: ['A'], ...range }),
  },
  {
    rule: 'offers.distribution-type',
    request: { ...dated, json: { codes: ['B'] } },
    before: upload('54100', { codes: ['A'], ...range }),
  },
  {
    rule: 'offers.distribution-type',
    request: { ...post('54102'), json: { codes: ['B'], ...range } },
    before: upload('54102', { codes: ['A'] }),
  },
  {
    rule: 'offers.distribution-type',
    request: { ...dated, json: { codes: ['C'] } },
    before: async (sandbox) => {
      await upload('54100', { codes: ['A'], ...range })(sandbox);
      await upload('54100', { codes: ['B'], ...nextRange })(sandbox);
    },
    noEdit: 'Which of the two ranges is meant is not clear.',
  },
  { rule: 'offers.dates-needed', request: { ...dated, json: { codes: ['A'] } }, noEdit: noTime },
  { rule: 'offers.dates-refused', request: { ...post('54102'), json: { codes: ['A'], ...range } } },
];
