import fetch from 'node-fetch';

const answer = await fetch('https://api.attentivemobile.com/v1/me', {
  headers: { authorization: 'Bearer sandpiper-demo-key' },
});
console.log(answer.status, (await answer.json()).companyName);
