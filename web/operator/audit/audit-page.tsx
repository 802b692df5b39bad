import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { AuditEntry } from '../../../src/console/console-api.ts';
import type { OperatorAuditEntry } from '../../../src/operator/screen/list-operator-audit.ts';
import { AuditEntries, actionLabels } from '../../activity/audit-entries.tsx';
import { wordAuthor } from '../../format/author.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconFilterOff, IconHistory } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TableSkeleton } from '../../ui/table-skeleton.tsx';
import { operatorsQuery } from '../operators/queries.ts';
import styles from './audit.module.css';
import { type AuditSearch, auditQuery } from './queries.ts';

const route = getRouteApi('/signed-in/audit');

/** Operators do not create products, or ship orders. */
const BY_MERCHANTS =
  /^(product\.(?!moderated)|products\.|order\.(?!redacted|held|released|canceled|customer_revealed)|campaign\.(created|changed))/;

const actions = Object.entries(actionLabels)
  .filter(([action]) => !BY_MERCHANTS.test(action))
  .map(([value, label]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

export function Page() {
  const search = route.useSearch();
  const list = useInfiniteQuery(auditQuery(search));
  const isFiltered = search.who !== undefined || search.kind !== undefined || search.action !== undefined;
  return (
    <>
      <PageHeader lead="Sign-ins, changes of operators, operator keys, lists and settings, backups, and what operators did to merchants." />
      <Panel title="Activity" aside={<Filter search={search} />} flush>
        <Loaded query={list} skeleton={<TableSkeleton rows={12} height="2.5rem" />}>
          {({ pages }) => {
            const entries = pages.flatMap((part) => part.entries);
            if (entries.length > 0) return <AuditEntries entries={entries} renderMore={renderMerchant} />;
            return isFiltered ? (
              <EmptyState
                Icon={IconFilterOff}
                title="No such activity"
                description="Nothing in the audit log matches the filter."
              >
                <LinkButton to="/audit" variant="default">
                  Show all activity
                </LinkButton>
              </EmptyState>
            ) : (
              <EmptyState
                Icon={IconHistory}
                title="No activity yet"
                description="Sign-ins and what operators do appear here."
              />
            );
          }}
        </Loaded>
        <MoreButton list={list} label="Show more" />
      </Panel>
    </>
  );
}

function Filter({ search }: { search: AuditSearch }) {
  const navigate = useNavigate();
  const { data } = useQuery(operatorsQuery);
  const operators = data?.operators ?? [];
  const people = operators.map(({ who, name, email }) => ({ value: who, label: `${name} (${email})` }));
  const { who, kind } = search;
  // An operator who was removed is in the log and in URLs, but not among the operators.
  const isFormer = who !== undefined && !operators.some((each) => each.who === who);
  const show = (changed: AuditSearch): void => {
    const given = Object.entries(changed).filter(([, value]) => value !== '');
    void navigate({ to: '/audit', search: Object.fromEntries(given), resetScroll: false });
  };
  return (
    <div className={styles.filters}>
      <NativeSelect
        aria-label="Done by"
        value={who ?? kind ?? ''}
        data={[
          { value: '', label: 'All activity' },
          ...kinds,
          ...people,
          ...(isFormer ? [{ value: who, label: wordAuthor(who) }] : []),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const isKind = kinds.some((each) => each.value === value);
          show({ ...search, kind: isKind ? value : '', who: isKind ? '' : value });
        }}
      />
      <NativeSelect
        aria-label="Action"
        value={search.action ?? ''}
        data={[{ value: '', label: 'All actions' }, ...actions]}
        onChange={({ currentTarget: { value } }) => show({ ...search, action: value })}
      />
    </div>
  );
}

const kinds = [
  { value: 'operator', label: 'All operators' },
  { value: 'operator_key', label: 'Operator keys' },
  { value: 'command', label: 'Commands' },
  { value: 'service', label: 'Tradepost itself' },
  { value: 'stranger', label: 'Unknown people' },
] as const satisfies { value: AuditEntry['who_kind']; label: string }[];

function renderMerchant({ merchant }: OperatorAuditEntry) {
  if (merchant === null) return null;
  return (
    <>
      {' · '}
      <Link to="/merchants/$merchant" params={{ merchant: merchant.external_id }}>
        {merchant.name}
      </Link>
    </>
  );
}
