import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { base } from '../server/application.ts';
import { queryClient } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { errorMessage } from '../server/server-error.ts';
import { announceShop, noticeShop } from '../server/shop.ts';

/** Takes the session into one of the user's shops, and tells the other tabs. */
async function enter(id: number): Promise<ConsoleSession> {
  const session = await post<ConsoleSession>('session/shop', { merchant_id: id });
  announceShop(session.merchant);
  return session;
}

/** Returns a function that opens another shop of the user, with nothing left of this one. */
export function useSwitchShop(): (id: number) => Promise<void> {
  return useCallback(async (id) => {
    try {
      await enter(id);
      openShop();
    } catch (error) {
      notifications.show({ color: 'red', message: errorMessage(error) });
    }
  }, []);
}

/** Loads the console for the shop of the session. */
export function openShop(): void {
  location.assign(base);
}

/** Returns to the shop that the page shows, and keeps what was entered in it. */
export async function returnToShop(id: number): Promise<void> {
  const { merchant } = await enter(id);
  noticeShop(merchant);
  await queryClient.invalidateQueries();
}
