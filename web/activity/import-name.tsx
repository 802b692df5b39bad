import { Link } from '@tanstack/react-router';
import type { ActivityAuthor } from '../../src/console/activity-api.ts';
import { isUndo } from '../imports/words.ts';
import { Author } from './author.tsx';

type Import = NonNullable<ActivityAuthor['import']>;

/** Who did something, and by which import. */
export function AuthorAndImport({ author }: { author: ActivityAuthor }) {
  return (
    <>
      <Author author={author} />
      {author.import !== null && (
        <>
          , <ImportName of={author.import} />
        </>
      )}
    </>
  );
}

/** The name of an import; a link to it, as long as it is listed. */
export function ImportName({ of }: { of: Import }) {
  const { id, is_kept: isKept } = of;
  const text = importText(of);
  if (!isKept) return text;
  return (
    <Link to="/products/import" search={{ id }}>
      {text}
    </Link>
  );
}

/** The name of an undo says what it is. */
function importText(of: Import): string {
  const { name, is_bulk: isBulk } = of;
  if (name !== null && isUndo(of)) return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  if (isBulk) return name === null ? 'a bulk change' : `bulk change: ${name}`;
  return `import of ${name ?? 'a file'}`;
}
