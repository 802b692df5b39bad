import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RefusedKeyList } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { refusedKeysQuery } from './queries.ts';
import styles from './requests.module.css';

/** Warns of software that still uses keys that are no longer valid. */
export function RefusedKeys() {
  const { data } = useQuery(refusedKeysQuery);
  const keys = data?.keys ?? [];
  if (keys.length === 0) return null;
  return (
    <section className={styles.notice} aria-label="Keys that are no longer valid">
      <ul>
        {keys.map((key) => (
          <li key={key.id}>
            <RefusedKey refused={key} />
          </li>
        ))}
      </ul>
      <p>
        Some software still uses {keys.length === 1 ? 'this key' : 'these keys'}. Find it by its client below,
        and give it the token of a <Link to="/keys">valid key</Link>.
      </p>
    </section>
  );
}

function RefusedKey({ refused }: { refused: RefusedKeyList['keys'][number] }) {
  const { day, whole } = useFormats();
  const { id, name, reason, since, requests } = refused;
  const times = requests === 1 ? 'once' : `${whole(requests)} times`;
  const when = since === null ? '' : ` on ${day(since)}`;
  return (
    <>
      <Link to="/requests" search={{ key: id, status: '401' }}>
        Key {id} ({name})
      </Link>{' '}
      {reason === 'valid'
        ? `was used ${times} with a token that is no longer valid.`
        : `${reason === 'revoked' ? 'was revoked' : 'expired'}${when}, and was used ${times} since.`}
    </>
  );
}
