import { figure } from '../../scenario.ts';
import { apiRequest, type Case, consoleClientFor, HOSTILE_ADDRESSES } from '../case.ts';
import { tokensOf } from '../merchants.ts';

/** As many as a merchant may have. Each gets every event. */
const WEBHOOKS = 20;

/** Requests that create events, and replays of all of them. The receiver does not exist. */
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
      // The service may refuse some of these requests, because its queues are full.
      while (ids.length < WEBHOOKS && !isOver()) {
        const response = await client.post('/webhooks', { url: `https://receiver-${ids.length}.invalid/` });
        if (response.status === 200) ids.push(response.json<{ id: string }>().id);
      }
      let replays = 0;
      const replay = async (id: string): Promise<void> => {
        while (!isOver()) {
          const events = { since: '2000-01-01T00:00:00Z', only_failed: false };
          const response = await client.post(`/webhooks/${id}/replay`, events);
          if (response.status === 200) replays += 1;
        }
      };
      await Promise.all(ids.map(replay));
      return [figure('replays', replays, { atLeast: 1 })];
    },
  },
];
