import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from './icons.ts';
import styles from './pager.module.css';

interface Props {
  to: '/products' | '/campaigns' | '/orders' | '/sales';
  search: { page?: string };
  shown: { page: number; per_page: number; total_entries: number };
  /** The plural noun for the list's items, such as “products”. */
  items: string;
}

/** The position in a paged list, with links to the other pages if there are any. */
export function Pager({
  to,
  search,
  shown: { page, per_page: perPage, total_entries: total },
  items,
}: Props) {
  const { whole } = useFormats();
  const navigate = useNavigate();
  const last = Math.max(1, Math.ceil(total / perPage));
  if (total === 0) return null;
  const searchFor = (target: number): { page?: string } => {
    const { page: _, ...rest } = search;
    return target === 1 ? rest : { ...rest, page: String(target) };
  };
  const step = (target: number, name: string, icon: ReactNode): ReactNode =>
    target < 1 || target > last || target === page ? (
      <span className={styles.off} aria-hidden="true">
        {icon}
      </span>
    ) : (
      <Link
        to={to}
        search={searchFor(target)}
        className={styles.step ?? ''}
        activeOptions={{ exact: true }}
        aria-label={name}
        title={name}
      >
        {icon}
      </Link>
    );
  const from = Math.min(total, (page - 1) * perPage + 1);
  return (
    <nav aria-label={`Pages of ${items}`} className={styles.pager}>
      <p className="muted small numbers" role="status">
        {whole(from)}–{whole(Math.min(total, page * perPage))} of {whole(total)} {items}
      </p>
      {(last > 1 || page > 1) && (
        <div className={styles.steps}>
          {step(1, 'First page', <IconChevronsLeft size={18} />)}
          {step(page - 1, 'Previous page', <IconChevronLeft size={18} />)}
          <form
            className={styles.jump}
            onSubmit={(event) => {
              event.preventDefault();
              const target = Number(new FormData(event.currentTarget).get('page'));
              if (Number.isInteger(target))
                void navigate({ to, search: searchFor(Math.min(Math.max(1, target), last)) });
            }}
          >
            <label>
              Page{' '}
              <input key={page} name="page" inputMode="numeric" defaultValue={page} className={styles.page} />
            </label>{' '}
            of {whole(last)}
          </form>
          {step(page + 1, 'Next page', <IconChevronRight size={18} />)}
          {step(last, 'Last page', <IconChevronsRight size={18} />)}
        </div>
      )}
    </nav>
  );
}
