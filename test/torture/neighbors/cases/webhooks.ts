import { figure } from '../../scenario.ts';
import { apiRequest, type Case, consoleClientFor, HOSTILE_ADDRESSES } from '../case.ts';
import { tokensOf } from '../merchants.ts';

/** As many webhooks as a merchant may have, each of which gets every event. */
const WEBHOOKS = 20;

/** Requests that create events, and replays of all of them, for webhooks whose receiver does not exist. */
export const webhookCases: Case[] = [
  {
    name: 'webhook-replays',
    short: false,
    workloads: () => [
      {
        action: 'request',
        requests: tokensOf('large').map((token) => ({
          ...apiRequest('/campaigns.json', token),
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'Summer {n}', type: 'AuctionCampaign' }),
        })),
        connections: 8,
        rate: null,
      },
    ],
    async duringAttack(context, isOver) {
      const client = consoleClientFor(context, 'large', HOSTILE_ADDRESSES[0] ?? '');
      const ids: string[] = [];
      for (let number = 0; number < WEBHOOKS; number += 1) {
        const url = `https://receiver-${number}.invalid/`;
        const response = await client.post('/webhooks', { url });
        ids.push(response.json<{ id: string }>().id);
      }
      let replays = 0;
      const replay = async (id: string): Promise<void> => {
        while (!isOver()) {
          await client.post(`/webhooks/${id}/replay`, { since: '2000-01-01T00:00:00Z', only_failed: false });
          replays += 1;
        }
      };
      await Promise.all(ids.map(replay));
      return [figure('replays', replays, null)];
    },
  },
];
