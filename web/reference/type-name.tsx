import { Link } from '@tanstack/react-router';
import type { Reference, Schema } from './open-api.ts';
import { useReference } from './reference-context.ts';
import { typeParts } from './type-label.ts';

/** A type, whose records are links to their descriptions. */
export function TypeName({ schema }: { schema: Schema | Reference }) {
  const { document, groupOfRecord } = useReference();
  return typeParts(document, schema).map((part, index) => {
    if ('text' in part) return part.text;
    const group = groupOfRecord.get(part.record);
    if (group === undefined) return part.record;
    return (
      <Link
        // biome-ignore lint/suspicious/noArrayIndexKey: a type may name a record twice
        key={index}
        to="/reference/$group"
        params={{ group }}
        hash={part.record}
        activeOptions={{ includeHash: true }}
      >
        {part.record}
      </Link>
    );
  });
}
