import { SHOP_HEADER, SHOP_PARAMETER } from '../../src/console/sessions/shop-header.ts';
import { Store } from './store.ts';

interface ShopOfPage extends Switch {
  /** Whether the page shows the shop's test data. */
  isTest: boolean;
}

/** The merchant that the page was loaded for, whose data it shows; undefined without a session. */
export const shopOfPage = new Store<ShopOfPage | undefined>(undefined);

/** The ID of the shop whose test data is shown. Each tab keeps its own, and a new one has the last choice. */
const TEST_DATA = 'tradepost-test-data';

/** The name of the shop that the session is in, if the user has switched to it in another tab. */
export const otherShop = new Store<string | undefined>(undefined);

/** A switch, as tabs tell each other. */
interface Switch {
  id: number;
  name: string;
}

/** Tabs of the same browser have the same session. */
const tabs = typeof document === 'undefined' ? undefined : new BroadcastChannel('tradepost-shop');

tabs?.addEventListener('message', ({ data }: MessageEvent<Switch>) => noticeShop(data));

/**
 * Keeps the shop that the page is loaded for, and whether it shows test data, which the shop may have.
 * Returns false for a session in another shop, which the page must not show.
 */
export function isShopOfPage(shop: Switch | undefined, hasTestData = false): boolean {
  if (shop === undefined) return true;
  const ofPage = shopOfPage.get();
  if (ofPage === undefined) {
    const { id, name } = shop;
    shopOfPage.set({ id, name, isTest: hasTestData && chosenTestData() === String(id) });
  } else noticeShop(shop);
  return ofPage === undefined || ofPage.id === shop.id;
}

/** Chooses the data that the next page of this tab shows. */
export function chooseTestData(isTest: boolean): void {
  const shop = shopOfPage.get();
  const chosen = isTest && shop !== undefined ? String(shop.id) : '';
  for (const storage of [sessionStorage, localStorage]) storage.setItem(TEST_DATA, chosen);
}

function chosenTestData(): string | null {
  return sessionStorage.getItem(TEST_DATA) ?? localStorage.getItem(TEST_DATA);
}

/** Lets the page be loaded for another shop, when the user has signed out. */
export function forgetShop(): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(TEST_DATA);
  shopOfPage.set(undefined);
  otherShop.set(undefined);
}

/** Compares the shop of the session with the shop of the page. */
export function noticeShop(shop: Switch): void {
  const ofPage = shopOfPage.get();
  if (ofPage !== undefined) otherShop.set(ofPage.id === shop.id ? undefined : shop.name);
}

/** Tells the other tabs that the session has entered a shop. */
export function announceShop(shop: Switch): void {
  tabs?.postMessage(shop);
}

/** The number of a test side is the merchant's, negative (`src/database/sides.ts`). */
function sideOf({ id, isTest }: ShopOfPage): string {
  return String(isTest ? -id : id);
}

/** The header that says for which shop a request is. */
export function shopHeaders(): Record<string, string> {
  const shop = shopOfPage.get();
  return shop === undefined ? {} : { [SHOP_HEADER]: sideOf(shop) };
}

/** Returns the URL of a file of the shop that the page was loaded for. */
export function fileUrl(url: string): string {
  const shop = shopOfPage.get();
  if (shop === undefined) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${SHOP_PARAMETER}=${sideOf(shop)}`;
}

/** Whether a response says that the session is in another shop than the page. */
export function isOfOtherShop({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return status === 409 && headers.has(SHOP_HEADER);
}
