import type { ReactNode } from 'react';

/** What stands for a value that is not there. */
export function Nothing() {
  return (
    <span className="soft">
      <span aria-hidden="true">–</span>
      <span className="unseen">none</span>
    </span>
  );
}

export function orNothing<Value>(value: Value | null, show: (value: Value) => ReactNode): ReactNode {
  return value === null ? <Nothing /> : show(value);
}
