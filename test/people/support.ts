import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { Delivery, Message, Subscription, User } from '../../emulator/records.ts';
import { eventTypes } from '../../emulator/contract/event-schemas.ts';
import type { Sandbox } from '../support/sandbox.ts';

interface Subject {
  readonly phone?: string;
  readonly email?: string;
}

interface Sent {
  readonly type: string;
  readonly phone: string | undefined;
  readonly email: string | undefined;
}

/** The interfaces through which people, addresses and subscriptions are accessed. */
export function createDoors(sandbox: Sandbox) {
  const { store, users } = sandbox.emulator.deps;
  const call = (path: string, json: unknown) => sandbox.call('POST', path, { json });

  const graphql = async (query: string, variables: object) => {
    const { body } = await call('/graphql', { query, variables });
    const { data, errors } = body as { data: never; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };

  return {
    /** A webhook that lists every event, so that all sent events can be read from its deliveries. */
    listen: () => sandbox.call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/hook', events: eventTypes } }),
    /** The events sent since the last call, in order, as receivers read them. */
    sent(): readonly Sent[] {
      const all = [...store.deliveries.all()] as readonly Delivery[];
      const bodies = all.map(({ body }) => JSON.parse(body) as { type: string; subscriber: Subject });
      store.transact(() => all.forEach(({ id }) => store.deliveries.delete(id)));
      return bodies.map(({ type, subscriber: { phone, email } }) => ({ type, phone, email }));
    },
    subscribe: (user: Subject, unit = '100001') => call('/subscriptions', { user, signUpSourceId: unit }),
    unsubscribe: (user: Subject) => call('/subscriptions/unsubscribe', { user }),
    identify: (json: object) => call('/identity-resolution/user-identifiers', json),
    event: (json: object) => call('/events/custom', json),
    erase: async (user: Subject) => {
      const answer = await call('/privacy/delete-request', { subjectPhone: user.phone, subjectEmail: user.email });
      await sandbox.emulator.deps.clock.advance(40 * 24 * 3_600_000);
      return answer;
    },
    /** REST's reply as `TYPE CHANNEL: eligible`; the status if it is an error. */
    async read(query: Readonly<Record<string, string>>): Promise<readonly string[] | number> {
      const { status, body } = await sandbox.call('GET', '/subscriptions', { query });
      if (status !== 200) return status;
      type Line = { subscription: { type: string; channel: string }; eligibility: { isEligible: boolean } };
      return (body as { subscriptionEligibilities: Line[] }).subscriptionEligibilities.map(
        ({ subscription: { type, channel }, eligibility }) => `${type} ${channel}: ${eligibility.isEligible}`,
      );
    },
    async graphqlUser(by: Subject) {
      const data = await graphql(
        `
          query ($phone: String, $email: String) {
            viewer {
              installedApplication {
                installerCompany {
                  user(phone: $phone, email: $email) {
                    id
                    subscribedPhone
                    email
                    subscriptions {
                      subscriptionEligibilities {
                        eligibility {
                          isEligible
                        }
                        subscription {
                          destinationAddress {
                            ... on DestinationPhone {
                              value
                            }
                            ... on DestinationEmail {
                              value
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        `,
        by,
      );
      type Shown = {
        id: string;
        subscribedPhone: string;
        email: string;
        subscriptions: {
          subscriptionEligibilities: {
            eligibility: { isEligible: boolean };
            subscription: { destinationAddress: { value: string } };
          }[];
        };
      };
      const { user } = (data as { viewer: { installedApplication: { installerCompany: { user: Shown | null } } } })
        .viewer.installedApplication.installerCompany;
      if (!user) return null;
      return {
        id: user.id,
        subscribedPhone: user.subscribedPhone,
        email: user.email,
        subscriptions: user.subscriptions.subscriptionEligibilities.map(
          ({ eligibility, subscription }) => `${subscription.destinationAddress.value}: ${eligibility.isEligible}`,
        ),
      };
    },
    graphqlSubscribe: (user: Subject) =>
      graphql(
        `
          mutation ($input: SubscribeInput!) {
            subscribe(input: $input) {
              subscribeResults {
                destinationAddress {
                  ... on DestinationPhone {
                    value
                  }
                  ... on DestinationEmail {
                    value
                  }
                }
              }
            }
          }
        `,
        { input: { user, signupSourceId: '100001' } },
      ),
    graphqlUnsubscribe: (user: Subject) =>
      graphql(
        `
          mutation ($input: UnsubscribeInput!) {
            unsubscribe(input: $input) {
              unsubscribeResults {
                destinationAddress {
                  ... on DestinationPhone {
                    value
                  }
                  ... on DestinationEmail {
                    value
                  }
                }
              }
            }
          }
        `,
        { input: { user } },
      ),
    /** Who has an address. */
    people: (by: Subject): readonly User[] => users.find(demoCompany, by),
    /** `address TYPE: status`, in the order of creation. */
    subscriptionsOf: ({ id }: Pick<User, 'id'>): readonly string[] =>
      ([...store.subscriptions.all()] as readonly Subscription[])
        .filter(({ userId }) => userId === id)
        .map(({ address, type, status }) => `${address} ${type}: ${status}`),
    /** The latest text or email that was sent to an address. */
    latest: (to: string): Message =>
      ([...store.messages.all()] as readonly Message[]).findLast((one) => one.to === to && one.direction === 'out') ??
      missing(to),
    texts: (to: string): readonly string[] =>
      ([...store.messages.all()] as readonly Message[]).filter((one) => one.to === to).map(({ name }) => name),
    /** What the person does with a message of theirs. */
    act: (message: Message, act: object) => sandbox.control('POST', `/control/messages/${message.id}/acts`, act),
    compose: (json: object) => sandbox.control('POST', '/control/messages', json),
  };
}

function missing(to: string): never {
  throw new Error(`Nothing was sent to ${to}.`);
}
