import { useFormats } from '../format/use-formats.ts';

/** The currency before the text of an input. */
export function CurrencySymbol() {
  return <span className="muted small">{useFormats().currencySymbol()}</span>;
}
