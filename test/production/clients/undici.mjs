import { Agent, request } from 'undici';

const { statusCode, body } = await request('https://api.attentivemobile.com/v1/me', {
  dispatcher: new Agent({ connections: 1 }),
  headers: { authorization: 'Bearer sandpiper-demo-key' },
});
console.log(statusCode, (await body.json()).companyName);
