import { Link } from '@tanstack/react-router';
import type { ShopAttention, ShopConcern } from '../../src/console/catalog-api.ts';
import { MOST_DUE } from '../../src/console/order-api.ts';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { OVERDUE } from '../orders/listing.ts';
import type { Icon } from '../ui/create-icon.tsx';
import {
  IconBox,
  IconChevronRight,
  IconCircleCheck,
  IconFileUpload,
  IconKey,
  IconPhotoOff,
  IconShoppingBag,
  IconSpeakerphone,
  IconWebhook,
} from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import styles from './attention.module.css';

/** How a concern is shown, and the list that it counts. */
interface Line {
  tone: 'bad' | 'warn';
  Icon: Icon;
  title: (attention: ShopAttention, formats: Formats) => string;
  detail: (attention: ShopAttention, formats: Formats) => string;
  list: (attention: ShopAttention) => List;
}

interface List {
  to: '/orders' | '/products' | '/products/import' | '/campaigns' | '/keys' | '/webhooks';
  search: Readonly<Record<string, string>>;
}

const lines: Record<ShopConcern, Line> = {
  orders_overdue: {
    tone: 'bad',
    Icon: IconShoppingBag,
    title: ({ count }, { whole, count: counted }) =>
      count >= MOST_DUE ? `${whole(MOST_DUE)}+ overdue orders` : counted(count, 'overdue order'),
    detail: () => 'The due date has passed. Ship first.',
    list: () => ({ to: '/orders', search: { status: OVERDUE } }),
  },
  products_problematic: {
    tone: 'bad',
    Icon: IconBox,
    title: ({ count }, formats) => `${formats.count(count, 'product')} to correct`,
    detail: () => 'Not for sale until corrected.',
    list: () => ({ to: '/products', search: { status: 'problematic' } }),
  },
  products_banned: {
    tone: 'bad',
    Icon: IconBox,
    title: ({ count }, formats) => formats.count(count, 'banned product'),
    detail: () => 'The marketplace doesn’t allow these.',
    list: () => ({ to: '/products', search: { status: 'banned' } }),
  },
  products_sold_out: {
    tone: 'warn',
    Icon: IconBox,
    title: ({ count }, formats) => `${formats.count(count, 'product')} sold out`,
    detail: ({ part }, { whole }) =>
      part === 1
        ? 'With 1 best seller, which is listed first.'
        : `With ${whole(part ?? 0)} best sellers, which are listed first.`,
    list: () => ({ to: '/products', search: { status: 'sold_out', sort: 'sales_descending' } }),
  },
  images_failing: {
    tone: 'warn',
    Icon: IconPhotoOff,
    title: ({ count, more }, { whole, count: counted }) =>
      `${more ? `${whole(count)}+ products` : counted(count, 'product')} with images to check`,
    detail: () => 'Open a product to see why.',
    list: () => ({ to: '/products', search: { images: 'failing' } }),
  },
  webhooks_failing: {
    tone: 'bad',
    Icon: IconWebhook,
    title: ({ count }, formats) => `${formats.count(count, 'webhook')} failing`,
    detail: ({ only }) => only?.name ?? 'Your software misses events.',
    list: ({ only }) => ({
      to: '/webhooks',
      search: only === null ? { status: 'failing' } : { webhook: only.id },
    }),
  },
  keys_expiring: {
    tone: 'warn',
    Icon: IconKey,
    title: ({ count }, formats) =>
      `${formats.count(count, 'API key')} expire${count === 1 ? 's' : ''} within 7 days`,
    detail: ({ only }) =>
      only === null
        ? 'Rotate them before your software stops working.'
        : `Rotate ${only.name} before your software stops working.`,
    list: () => ({ to: '/keys', search: { status: 'expiring' } }),
  },
  imports_rejecting: {
    tone: 'warn',
    Icon: IconFileUpload,
    title: ({ part }, formats) => formats.count(part ?? 0, 'rejected row'),
    detail: ({ count, only }, formats) => `In ${only?.name ?? formats.count(count, 'upload')}`,
    list: ({ only }) => ({
      to: '/products/import',
      search: only === null ? { status: 'rejecting' } : { id: only.id },
    }),
  },
  campaigns_exhausted: {
    tone: 'warn',
    Icon: IconSpeakerphone,
    title: ({ count }, formats) =>
      `${formats.count(count, 'campaign')} with ${count === 1 ? 'its' : 'their'} budget spent`,
    detail: () => 'Raise the lifetime budget to continue, or end the campaign.',
    list: () => ({ to: '/campaigns', search: { status: 'Lifetime Budget Exhausted' } }),
  },
};

/** What needs attention, the most urgent first. Each line leads to the list that it counts. */
export function AttentionList({ attention }: { attention: readonly ShopAttention[] }) {
  const formats = useFormats();
  if (attention.length === 0)
    return (
      <p className={styles.calm}>
        <IconCircleCheck size={20} />
        Nothing needs your attention.
      </p>
    );
  return (
    <Panel title="Needs attention" flush>
      <ul className={styles.lines}>
        {attention.map((each) => {
          const { tone, Icon, title, detail, list } = lines[each.concern];
          return (
            <li key={each.concern}>
              <Link {...list(each)} className={styles.line ?? ''}>
                <span className={styles.icon} data-tone={tone}>
                  <Icon size={18} stroke={1.8} />
                </span>
                <span className={styles.words}>
                  <strong>{title(each, formats)}</strong>{' '}
                  <span className={styles.detail}>{detail(each, formats)}</span>
                </span>
                <IconChevronRight size={17} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
