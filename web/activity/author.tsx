import type { ActivityAuthor } from '../../src/console/activity-api.ts';
import { readPerson } from '../format/author.ts';
import styles from './activity.module.css';

/** The kind is marked and comes first, because people choose their names. */
const kinds: Record<ActivityAuthor['who_kind'], string> = {
  merchant_key: 'Key',
  merchant_user: 'User',
  operator_key: 'Operator key',
  operator: 'Operator',
  stranger: 'Unknown person',
  command: 'Operator’s command',
  service: 'Tradepost',
};

interface Props {
  /** The operator's log has no names of keys. */
  author: Pick<ActivityAuthor, 'who_kind' | 'who'> & Partial<Pick<ActivityAuthor, 'key_name'>>;
}

/** Who did something: the kind, and a person's name and email or the name or ID of a key. */
export function Author({ author }: Props) {
  const { who_kind: kind, who, key_name: key = null } = author;
  const person = readPerson(who);
  return (
    <>
      <span className={styles.kind}>{kinds[kind]}</span>
      {person !== undefined ? (
        <>
          {' '}
          <span className={styles.person}>{person.name}</span> ({person.email})
        </>
      ) : key !== null ? (
        <span className={styles.person}> {key}</span>
      ) : (
        who !== '' && <span className="mono"> {who}</span>
      )}
    </>
  );
}
