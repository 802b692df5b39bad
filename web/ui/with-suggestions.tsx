import { type ReactNode, useId } from 'react';

interface Props {
  options: readonly string[];
  /** Renders an input with the ID of its `list`. */
  children: (list: string) => ReactNode;
}

/** Suggestions for an input, in the browser's own list. */
export function WithSuggestions({ options, children }: Props) {
  const id = useId();
  return (
    <>
      {children(id)}
      <datalist id={id}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}
