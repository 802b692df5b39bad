import { base } from '../server/application.ts';
import { post } from '../server/request.ts';
import { chooseTestData, shopOfPage } from '../server/shop.ts';
import { useStore } from '../server/store.ts';
import { useAllows } from '../session/role.ts';
import { useSession } from '../session/session.ts';
import { showError } from '../ui/notify.tsx';

/** Whether the page shows test data, instead of the shop's own. */
export function useIsTestData(): boolean {
  return useStore(shopOfPage)?.isTest ?? false;
}

/** Whether the user can change what live and test data have in common, which is not possible in test data. */
export function useMayChangeShop(): boolean {
  const isOwner = useAllows('owner');
  return !useIsTestData() && isOwner;
}

/**
 * Returns a function that loads the page with the other data; undefined if the user cannot see test data: an
 * editor has to open it first.
 */
export function useSwitchTestData(): ((isTest: boolean) => Promise<void>) | undefined {
  const { test_data: isOpen, support_view: supportView } = useSession();
  const canOpen = useAllows('editor');
  if (supportView !== null || !(isOpen || canOpen)) return undefined;
  return async (isTest) => {
    try {
      if (isTest && !isOpen) await post('test-data');
      chooseTestData(isTest);
      // Records of one side do not exist on the other.
      const [section = ''] = location.pathname.slice(base.length).split('/');
      location.assign(`${base}${section}`);
    } catch (error) {
      showError(error);
    }
  };
}
