/** Examples to start from. Each is accepted with the demo world's first key. */
export const graphqlExamples: readonly {
  readonly title: string;
  readonly query: string;
  readonly variables: string;
}[] = [
  {
    title: 'Who calls',
    query: `query WhoCalls {
  viewer {
    installedApplication {
      application { name }
      installerCompany { name }
    }
  }
}
`,
    variables: '{}',
  },
  {
    title: 'Custom event',
    query: `mutation OrderShipped($input: CreateCustomEventInput!) {
  createCustomEvent(input: $input) {
    externalEventId
    occurredAt
  }
}
`,
    variables: JSON.stringify(
      { input: { type: 'Order Shipped', user: { phone: '+15555550100' }, properties: '{"orderId":"54321"}' } },
      null,
      2,
    ),
  },
  {
    title: 'Subscribe',
    query: `mutation Subscribe($input: SubscribeInput!) {
  subscribe(input: $input) {
    subscribeResults { channel type created }
  }
}
`,
    variables: JSON.stringify({ input: { user: { phone: '+15555550100' }, signupSourceId: '100001' } }, null, 2),
  },
];
