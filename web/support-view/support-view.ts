import { useEffect } from 'react';
import type { EndedSupportView } from '../../src/console/console-api.ts';
import { base } from '../server/application.ts';
import { post, request } from '../server/request.ts';

const CHANNEL = 'tradepost-support-view';
/** This tab, which also gets its own messages. */
const TAB = crypto.randomUUID();

/** The page that opens a support view with the code in its fragment. Without a code, the view has ended. */
export const supportViewPage = `${base}support-view`;

/** Opens the support view of a code. Leaves the page. @throws {ServerError} if the code is not valid */
export async function openSupportView(code: string): Promise<void> {
  await post('support-view', { code }, { needsSession: false });
  leaveFor(base);
}

/** Ends the support view. Leads back to the operator's screen, if the server still knows from where. */
export async function endSupportView(): Promise<void> {
  const options = { method: 'DELETE', needsSession: false } as const;
  const { return_to: screen } = await request<EndedSupportView>('support-view', options);
  leaveFor(screen ?? base);
}

/** Loads another page, because this one has the data of the merchant before. Other tabs do the same. */
function leaveFor(url: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(TAB);
  channel.close();
  location.replace(url);
}

/** Loads the page again when another tab of the browser has opened or ended a support view. */
export function useReloadWithSupportView(): void {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => {
      if (data !== TAB) location.reload();
    };
    // The browser may show the page again as it was before another one.
    const reloadOld = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) location.reload();
    };
    addEventListener('pageshow', reloadOld);
    return () => {
      channel.close();
      removeEventListener('pageshow', reloadOld);
    };
  }, []);
}
