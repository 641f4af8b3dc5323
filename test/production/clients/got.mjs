import { got } from 'got';

const { statusCode, body } = await got('https://api.attentivemobile.com/v1/me', {
  responseType: 'json',
  http2: true,
  headers: { authorization: 'Bearer sandpiper-demo-key' },
});
console.log(statusCode, body.companyName);
