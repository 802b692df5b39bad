import type { ReactNode } from 'react';

/** A dash in place of a missing value; screen readers hear “none”. */
export function EmptyValue() {
  return (
    <span className="muted">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">none</span>
    </span>
  );
}

export function valueOrDash<Value>(value: Value | null, format: (value: Value) => ReactNode): ReactNode {
  return value === null ? <EmptyValue /> : format(value);
}
