import { notifications } from '@mantine/notifications';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { boundsOf, type CellRange, cellAt, moved, type Place } from './cell-range.ts';
import { columns, inputOf, type TableRow } from './cells.ts';
import { cellText, paste, selectedTexts } from './paste.ts';
import { formatCells, parseCells } from './spreadsheet-text.ts';
import type { TableEdits } from './use-table-edits.ts';

/** The selected cells, the text that is being typed, and the effects of keys, pointer and clipboard. */
export function useCells(
  grid: RefObject<HTMLTableElement | null>,
  rows: readonly TableRow[],
  { products, isSaving, change, undo }: TableEdits,
) {
  const [range, setRange] = useState<CellRange>(cellAt(0, 0));
  const [draft, setDraft] = useState<string>();
  const { row, column } = range.active;
  const size = { rows: rows.length, columns: columns.length };
  const bounds = boundsOf(range);

  // The cell that the arrows reach has the focus, so that screen readers read it.
  const shouldFocus = useRef(false);
  useEffect(() => {
    if (!shouldFocus.current || draft !== undefined) return;
    shouldFocus.current = false;
    const cell = grid.current?.querySelector<HTMLElement>(`#cell-${row}-${column}`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  const select = (next: CellRange): void => {
    shouldFocus.current = true;
    setRange(next);
  };
  const inputAt = (place: Place): { id: number; name: string } | undefined => {
    const [at, under] = [rows[place.row], columns[place.column]];
    const name = at === undefined || under === undefined ? undefined : inputOf(at, under);
    return at === undefined || name === undefined ? undefined : { id: at.product.internal_id, name };
  };
  const activeInput = inputAt(range.active);
  // Closing removes the input, and some browsers then report that it lost the focus.
  const isOpen = useRef(false);
  const begin = (text: string): void => {
    if (activeInput === undefined || isSaving) return;
    isOpen.current = true;
    setDraft(text);
  };
  const commit = (): void => {
    if (draft === undefined || !isOpen.current) return;
    isOpen.current = false;
    setDraft(undefined);
    shouldFocus.current = true;
    if (activeInput !== undefined) change([{ ...activeInput, text: draft.trim() }]);
  };
  const moveBy = (down: number, right: number): void =>
    select(
      cellAt(
        Math.max(0, Math.min(size.rows - 1, row + down)),
        Math.max(0, Math.min(size.columns - 1, column + right)),
      ),
    );
  const clear = (): void => {
    const cleared = [];
    for (let down = bounds.top; down <= bounds.bottom; down += 1) {
      for (let right = bounds.left; right <= bounds.right; right += 1) {
        const input = inputAt({ row: down, column: right });
        if (input !== undefined) cleared.push({ ...input, text: '' });
      }
    }
    change(cleared);
  };
  const textNow = (): string => {
    const [at, under] = [rows[row], columns[column]];
    return at === undefined || under === undefined ? '' : cellText(products, at, under);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (event.nativeEvent.isComposing) return;
    if (draft !== undefined) {
      if (key === 'Escape') {
        isOpen.current = false;
        shouldFocus.current = true;
        setDraft(undefined);
      } else if (key === 'Enter' || key === 'Tab') {
        commit();
        moveBy(key === 'Enter' ? (shiftKey ? -1 : 1) : 0, key === 'Tab' ? (shiftKey ? -1 : 1) : 0);
      } else return;
      event.preventDefault();
      return;
    }
    const next = moved(range, event, size);
    if (next !== undefined) select(next);
    else if ((ctrlKey || metaKey) && key.toLowerCase() === 'z' && !isSaving) undo();
    else if (key === 'Enter' || key === 'F2') begin(textNow());
    else if ((key === 'Delete' || key === 'Backspace') && !isSaving) clear();
    else if ([...key].length === 1 && !ctrlKey && !metaKey && !altKey) begin(key);
    else return;
    event.preventDefault();
  };
  const onCopy = (event: ClipboardEvent): void => {
    if (draft !== undefined) return;
    event.clipboardData.setData('text/plain', formatCells(selectedTexts(products, rows, columns, range)));
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (draft !== undefined || isSaving) return;
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain');
    if (text === '') return;
    const pasted = paste(parseCells(text), rows, columns, range);
    change(pasted.changes);
    select(pasted.range);
    if (pasted.leftOut === 0) return;
    const message = `${pasted.leftOut === 1 ? 'One value was' : `${pasted.leftOut} values were`} not pasted because there is no cell for ${pasted.leftOut === 1 ? 'it' : 'them'}.`;
    notifications.show({ color: 'orange', message });
  };
  const onPointer = (event: PointerEvent, extend: boolean): void => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('td') : null;
    if (cell === null || event.target instanceof HTMLInputElement) return;
    const place = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
    commit();
    select({ start: extend ? range.start : place, active: place });
  };
  return {
    active: range.active,
    bounds,
    draft,
    setDraft,
    /** The input that the active cell stands for; undefined if its row has none. */
    activeInput,
    commit,
    handlers: {
      onKeyDown,
      onCopy,
      onPaste,
      onPointerDown: (event: PointerEvent): void => {
        if (event.button === 0) onPointer(event, event.shiftKey);
      },
      onPointerMove: (event: PointerEvent): void => {
        if (event.buttons === 1 && event.pointerType === 'mouse' && draft === undefined)
          onPointer(event, true);
      },
      onDoubleClick: (): void => begin(textNow()),
    },
  };
}
