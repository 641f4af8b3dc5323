import { observed } from '../contract/schema.ts';
import { endpoint } from '../http/endpoint.ts';

/** GET /me (section 4; fields: docs/platform.md, Account): says that a credential works, and for which company. */
export const me = endpoint({
  operationId: 'getMe',
  method: 'GET',
  path: '/me',
  access: 'bearer',
  summary: 'Verify a credential and read its company',
  section: '4, note 1',
  provenance: 'documented',
  rules: [],
  replies: {
    200: {
      type: 'object',
      required: ['applicationName', 'attentiveDomainName', 'companyName', 'contactEmail', 'companyId'],
      properties: {
        applicationName: observed({ type: 'string', examples: ['Pillow Api'] }),
        attentiveDomainName: observed({ type: 'string', examples: ['hudsonivy.attn.tv'] }),
        companyName: observed({ type: 'string', examples: ['Hudson & Ivy'] }),
        contactEmail: observed({ type: 'string', examples: ['name@company.com'] }),
        companyId: observed({ type: 'string', examples: ['MDc6Q29tcGFueTI'] }),
      },
    },
  },
  errors: [400, 404, 429, 500],
  handle({ caller }, { store }) {
    const company = store.companies.get(caller.companyId);
    if (!company) throw new Error(`The company ${caller.companyId} of a credential is not stored.`);
    return {
      status: 200,
      body: {
        applicationName: caller.app.name,
        attentiveDomainName: company.domain,
        companyName: company.name,
        contactEmail: company.contactEmail,
        companyId: company.id,
      },
    };
  },
});
