import type { ClientEvent } from '../../../src/events/event-types.ts';
import type { Received, WebhookReceiver } from '../../support/webhook-receiver.ts';

/** Webhooks that respond, by the ends of their URLs, and the types of events that they get. */
export const healthyWebhooks = { all: [], again: [], campaigns: ['campaign.created'] } as const;
/** The end of the URL of a webhook that never responds. */
export const DEAD = 'dead';

type Name = keyof typeof healthyWebhooks;

export class WebhookInbox {
  /** Messages with an event that the webhook had got before. */
  repeated = 0;
  /** Messages with another ID than the event's, or another event than earlier messages with the ID. */
  readonly wrong: string[] = [];
  /** Milliseconds from each event to its first message. */
  readonly delays: number[] = [];
  readonly #bodies = new Map<Name, Map<string, string>>();

  constructor(receiver: WebhookReceiver) {
    for (const name of Object.keys(healthyWebhooks) as Name[]) this.#bodies.set(name, new Map());
    receiver.respond = (message, response) => {
      const name = message.path.split('/').at(-1);
      if (name === DEAD) return;
      this.#keep(name as Name, message);
      response.writeHead(204).end();
    };
  }

  /** Events that a healthy webhook should have got, but has not. */
  missing(occurred: readonly ClientEvent[]): string[] {
    return [...this.#bodies].flatMap(([name, bodies]) => {
      const types: readonly string[] = healthyWebhooks[name];
      const expected = occurred.filter(({ type }) => types.length === 0 || types.includes(type));
      return expected.filter(({ id }) => !bodies.has(id)).map(({ id }) => `${name} ${id}`);
    });
  }

  unknown(occurred: readonly ClientEvent[]): string[] {
    const ids = new Set(occurred.map(({ id }) => id));
    return [...this.#bodies.values()].flatMap((bodies) => [...bodies.keys()].filter((id) => !ids.has(id)));
  }

  #keep(name: Name, { headers, body }: Received): void {
    const event: ClientEvent = JSON.parse(body);
    const bodies = this.#bodies.get(name);
    const earlier = bodies?.get(event.id);
    if (headers['webhook-id'] !== event.id || (earlier !== undefined && earlier !== body))
      this.wrong.push(`${headers['webhook-id']} ${body}`);
    if (earlier === undefined) this.delays.push(Date.now() - Date.parse(event.occurred_at));
    else this.repeated += 1;
    bodies?.set(event.id, body);
  }
}
