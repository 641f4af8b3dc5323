import { meantEmail, sayE164 } from '../../contract/meant.ts';
import { fixPhone, rule, sayAddress, setMeant, show } from '../../rules.ts';

/** The rules of section 4, Privacy deletion, and section 7. */
export const privacyRules = {
  subject: rule({
    id: 'privacy.subject',
    status: 400,
    section: '7',
    provenance: 'documented',
    says: 'Privacy POST with neither subscriberPhone nor subscriberEmail: 400 stating one of them must be specified.',
    message: () => 'Must either specify subscriberPhone or subscriberEmail',
    fix: () => ({ say: 'Send subscriberPhone or subscriberEmail.', edits: [] }),
  }),
  oneSubject: rule<{ subject: string; subscriber: string }>({
    id: 'privacy.one-subject',
    status: 400,
    section: '4, note 10',
    provenance: 'assumed',
    reason: 'The specification has one spelling and public clients the other; what happens with both is not public.',
    says: 'subject… and subscriber… are two spellings of one field, so they must not differ.',
    message: ({ subject, subscriber }) =>
      `The request names two different people in the two spellings of one field, ${show(subject)} and ${show(subscriber)}. Deletion is final, so the person must be clear: leave one of them out.`,
    // Whom an edit left in, it would delete.
    fix: ({ subject, subscriber }) => ({
      say: `Send only one of ${show(subject)} and ${show(subscriber)}: the one that is to be deleted.`,
      edits: [],
    }),
  }),
  phone: rule<{ sent: string }>({
    id: 'privacy.phone-e164',
    status: 400,
    section: '4, note 10',
    provenance: 'assumed',
    reason: 'Section 4 requires E.164 for subscriptions; whether it is checked here is not public.',
    says: 'The phone is E.164; in another form it would match no one, and silently nothing would be deleted.',
    message: ({ sent }) => `The phone ${show(sent)} is not in E.164 form, so it would match no one. ${sayE164(sent)}`,
    fix: ({ sent }, place) => fixPhone(sent, place),
  }),
  email: rule<{ sent: string }>({
    id: 'privacy.email',
    status: 400,
    section: '4, note 10',
    provenance: 'assumed',
    reason: 'Whether the email is checked here is not public.',
    says: 'The email is an email address; other text would match no one, and silently nothing would be deleted.',
    message: ({ sent }) =>
      `The email ${show(sent)} is not an email address, so it would match no one. Send one such as ada@example.com.`,
    fix: ({ sent }, place) => setMeant(place, meantEmail(sent), sayAddress.email),
  }),
  unknownRequest: rule<{ id: string }>({
    id: 'privacy.unknown-request',
    status: 404,
    section: '7',
    provenance: 'assumed',
    reason: 'Section 7 has the 404; it does not say that requests of other companies are not found.',
    says: 'The deletion request belongs to the caller’s company.',
    message: ({ id }) =>
      `The specified resource was not found: this company made no deletion request ${show(id)}. Use the id from the reply of POST /privacy/delete-request.`,
    fix: () => ({ say: 'Create a deletion request, then use its id.', edits: [] }),
  }),
} as const;
