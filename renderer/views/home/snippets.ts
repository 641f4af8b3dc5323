/** Code to start from, by tab. */
export interface Snippet {
  readonly name: string;
  readonly code: string;
}

/** The first request: a person subscribes. It is also what the button sends. */
export const firstRequest = {
  method: 'POST',
  path: '/v1/subscriptions',
  body: { user: { phone: '+15555550123' }, signUpSourceId: '100001' },
} as const;

/** The first request as four snippets. @param apiUrl ends in /v1 */
export function toSnippets(apiUrl: string, authUrl: string, key: string): readonly Snippet[] {
  const body = JSON.stringify(firstRequest.body);
  return [
    {
      name: 'curl',
      code: `curl ${apiUrl}/subscriptions \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`,
    },
    {
      name: 'Node',
      code: `const response = await fetch('${apiUrl}/subscriptions', {
  method: 'POST',
  headers: { authorization: 'Bearer ${key}', 'content-type': 'application/json' },
  body: JSON.stringify({ user: { phone: '+15555550123' }, signUpSourceId: '100001' }),
});
console.log(response.status, await response.json());`,
    },
    {
      name: 'Python',
      code: `import requests

response = requests.post(
    "${apiUrl}/subscriptions",
    headers={"Authorization": "Bearer ${key}"},
    json={"user": {"phone": "+15555550123"}, "signUpSourceId": "100001"},
)
print(response.status_code, response.json())`,
    },
    { name: '.env', code: `BASE_URL=${apiUrl}\nAUTH_URL=${authUrl}\nAPI_KEY=${key}` },
  ];
}

/** Splits code into pieces. Quoted texts are separate, because they are what a person changes. */
export function toColoured(code: string): readonly { readonly text: string; readonly kind: 'js' | '' }[] {
  return code
    .split(/('[^'\n]*'|"[^"\n]*")/)
    .filter((text) => text !== '')
    .map((text) => ({ text, kind: /^['"]/.test(text) ? 'js' : '' }));
}
