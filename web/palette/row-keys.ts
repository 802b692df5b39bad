import { Store } from '../server/store.ts';

/** What screen readers say about the row that was selected, because its link has the focus. */
export const rowAnnouncement = new Store('');

/** The links that name the rows of lists. They have the focus, so that Enter opens the row. */
const LINKS = 'main .table > tbody > tr > td.lead a[href]';

/**
 * Moves the focus to the next or the previous row of the page's lists; to the first one if it is in none.
 * Returns false if there is no list, or, with `onlyFromRow`, if no row has the focus.
 */
export function moveToRow(step: 1 | -1, { onlyFromRow = false } = {}): boolean {
  const links = rowLinks();
  if (links.length === 0) return false;
  const row = focusedRow();
  const at = links.findIndex((link) => link.closest('tr') === row);
  if (onlyFromRow && links[at] !== document.activeElement) return false;
  const next = links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
  next?.focus({ preventScroll: true });
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

/** Selects the row that has the focus, or no longer. Returns false if it cannot be selected. */
export function selectRow(): boolean {
  const checkbox = focusedRow()?.querySelector<HTMLInputElement>('input[type=checkbox]:enabled');
  if (checkbox == null) return false;
  const name = document.activeElement?.textContent ?? '';
  rowAnnouncement.set(`${name}: ${checkbox.checked ? 'not selected' : 'selected'}`);
  checkbox.click();
  return true;
}

/** One link for each row that is visible. */
function rowLinks(): HTMLElement[] {
  const links = [...document.querySelectorAll<HTMLElement>(LINKS)].filter((link) => link.checkVisibility());
  return [...new Map(links.toReversed().map((link) => [link.closest('tr'), link])).values()].toReversed();
}

function focusedRow(): HTMLElement | null {
  const row = document.activeElement?.closest<HTMLElement>('main .table > tbody > tr');
  return row ?? null;
}
