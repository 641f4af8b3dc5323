import { randomInt } from 'node:crypto';
import { toIso } from '../../time/clock.ts';
import { isE164, isEmail } from '../../contract/formats.ts';
import type { Deps } from '../../deps.ts';
import { endpoint, type Endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { isSameAddress } from '../../people/addresses.ts';
import { enter } from '../../machine/table.ts';
import { inBody, inObject, inPath, refuse, refuseMissing, show, toRefusal } from '../../rules.ts';
import type { PrivacyRequest } from '../../records.ts';
import { privacyRules } from './rules.ts';
import {
  deleteRequestBody,
  deleteRequestParams,
  deleteRequestRecord,
  deleteRequestReply,
  type DeleteRequestBody,
  type DeleteRequestRecord,
} from './shapes.ts';
import { privacyTable } from './states.ts';

/**
 * POST /privacy/delete-request (section 4, Privacy deletion). Also accepted for unknown people: then nothing is
 * deleted.
 */
const requestDeletion = endpoint({
  operationId: 'addDeleteRequest',
  method: 'POST',
  path: '/privacy/delete-request',
  access: 'privacy_requests:write',
  dialect: 'privacy',
  summary: 'Request the deletion of a subscriber',
  section: '4, Privacy deletion',
  provenance: 'documented',
  rules: [privacyRules.subject, privacyRules.oneSubject, privacyRules.phone, privacyRules.email],
  body: deleteRequestBody,
  withoutBody: privacyRules.subject,
  replies: { 200: deleteRequestReply },
  links: { getDeleteRequest: { id: '/id' } },
  handle({ body, caller, now, note }, deps) {
    return { status: 200, body: { id: makeDeletionRequest(deps, caller, body, now, note).id } };
  },
});

/** GET /privacy/delete-request/{id} (2.4). */
const readDeletionRequest = endpoint({
  operationId: 'getDeleteRequest',
  method: 'GET',
  path: '/privacy/delete-request/{id}',
  access: 'privacy_requests:read',
  summary: 'Read a deletion request',
  section: '2.4',
  provenance: 'documented',
  rules: [privacyRules.unknownRequest],
  params: deleteRequestParams,
  replies: { 200: deleteRequestRecord },
  handle({ params: { id }, caller }, deps) {
    return { status: 200, body: toShown(findDeletionRequest(deps, caller, id)) };
  },
});

/** The operations of this group. */
export const privacyEndpoints: readonly Endpoint[] = [requestDeletion, readDeletionRequest];

/**
 * Accepts a deletion request and starts it. Inside a transaction.
 * @param now epoch milliseconds
 */
function makeDeletionRequest(
  { privacyRequests }: Deps,
  { companyId }: Caller,
  body: DeleteRequestBody,
  now: number,
  note: (remark: string) => void,
): PrivacyRequest {
  const subjectPhone = oneOf(body, 'Phone', note, (text, at) => {
    if (!isE164(text)) refuse(privacyRules.phone, inBody(at), text, { sent: text });
  });
  const subjectEmail = oneOf(body, 'Email', note, (text, at) => {
    if (!isEmail(text)) refuse(privacyRules.email, inBody(at), text, { sent: text });
  });
  const clientUserId = body.clientUserId || null;
  if (!subjectPhone && !subjectEmail) {
    const refusal = toRefusal(privacyRules.subject, inBody(''), undefined, undefined);
    refuseMissing(refusal, body, subjects, inObject(''));
  }
  if (clientUserId)
    note('clientUserId was not used to find people: only those with the phone or the email are deleted.');
  const at = toIso(now);
  return privacyRequests.start({
    id: randomId(),
    companyId,
    subjectPhone,
    subjectEmail,
    clientUserId,
    requestMsg: body.requestMsg ?? null,
    requestedAt: at,
    processingStartedAt: null,
    processingEndedAt: null,
    deletedUserIds: [],
    ...enter(privacyTable, { by: 'call', at, why: 'The deletion was requested.' }),
  });
}

/** The caller's deletion request with that id; refused with 404 if it does not exist or belongs to another company. */
function findDeletionRequest({ store }: Deps, { companyId }: Caller, id: string): PrivacyRequest {
  const request = store.privacyRequests.get(id);
  if (request?.companyId === companyId) return request;
  return refuse(privacyRules.unknownRequest, inPath('id'), id, { id });
}

/** The fields that name whom to delete, as the refusal names them. */
const subjects = ['subscriberPhone', 'subscriberEmail'];

/** The value of a field that has two spellings; null if both are empty. */
function oneOf(
  body: DeleteRequestBody,
  what: 'Phone' | 'Email',
  note: (remark: string) => void,
  check: (text: string, at: string) => void,
): string | null {
  const given = (name: `${'subject' | 'subscriber'}${typeof what}`): string | null => {
    const sent = body[name];
    if (sent === null || sent === '') note(`${name} was sent as ${show(sent)} and was read as left out.`);
    return sent || null;
  };
  const subject = given(`subject${what}`);
  const subscriber = given(`subscriber${what}`);
  if (subject) check(subject, `/subject${what}`);
  if (subscriber) check(subscriber, `/subscriber${what}`);
  if (subject && subscriber && !isSameAddress(what === 'Phone' ? 'TEXT' : 'EMAIL', subject, subscriber)) {
    refuse(privacyRules.oneSubject, inBody(`/subscriber${what}`), subscriber, { subject, subscriber });
  }
  return subject ?? subscriber;
}

/** Twelve characters of base 36: alphanumeric (2.4) and hard to guess. */
function randomId(): string {
  return Array.from({ length: 12 }, () => randomInt(36).toString(36)).join('');
}

function toShown(request: PrivacyRequest): DeleteRequestRecord {
  return {
    id: request.id,
    processed: request.state === 'processed',
    type: 'DELETE',
    subjectPhone: request.subjectPhone && maskPhone(request.subjectPhone),
    subjectEmail: request.subjectEmail && maskEmail(request.subjectEmail),
    requestMsg: request.requestMsg,
    requestDateTime: withOffset(request.requestedAt),
    processingStartDateTime: request.processingStartedAt && withOffset(request.processingStartedAt),
    processingEndDateTime: request.processingEndedAt && withOffset(request.processingEndedAt),
  };
}

/** `+15555555555` → `+*****5555`: always five asterisks, so that the length is hidden, too. */
function maskPhone(phone: string): string {
  return `+*****${phone.slice(-4)}`;
}

/** `abc@website.com` → `a**@website.com`: always two asterisks. */
function maskEmail(email: string): string {
  const [first] = email;
  return `${first}**${email.slice(email.lastIndexOf('@'))}`;
}

/** `yyyy-MM-dd'T'HH:mm:ss.SSS` with a numeric UTC offset (2.4). */
function withOffset(iso: string): string {
  return iso.replace(/Z$/, '+0000');
}
