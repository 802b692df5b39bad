import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { activityQuery } from './activity/queries.ts';
import { campaignQuery } from './campaigns/queries.ts';
import { isOverdueOnly, type OrderListing, listingNames as orderListingNames } from './orders/listing.ts';
import { pageQuery as orderPageQuery, orderQuery } from './orders/queries.ts';
import { listingNames } from './products/listing.ts';
import { columnsQuery, pageQuery, productQuery } from './products/queries.ts';
import { salesNames } from './sales/search.ts';
import { queryClient } from './server/query-client.ts';
import { stringifySearch, stringParameters } from './server/search-params.ts';
import { optionsQuery, sessionQuery } from './session/session.ts';
import { type LoadPage, lazyPage } from './shell/lazy-page.ts';
import { NotFoundWindow } from './shell/not-found.tsx';
import { PageError } from './shell/page-error.tsx';
import { PageSkeleton, ShellSkeleton } from './shell/page-skeleton.tsx';
import { linkQuery } from './sign-in/link-query.ts';
import { signInSearch } from './sign-in/sign-in-search.ts';
import { linkTokenIn } from './sign-in/use-link-token.ts';
import { NotFound } from './ui/not-found.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundWindow });

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) {
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
    }
    if (session.suspended) throw redirect({ to: '/suspended' });
    // The account is not the operator's.
    if (session.support_view !== null && location.pathname === '/account') throw redirect({ to: '/' });
    if (session.two_factor_missing && location.pathname !== '/account') throw redirect({ to: '/account' });
  },
  component: lazyPage(() => import('./shell/shell.tsx')),
  pendingComponent: ShellSkeleton,
});

/** The options of a page that does not need a session. */
const open = (load: LoadPage) => ({ getParentRoute: () => root, component: lazyPage(load) });

/** The options of a page of signed-in users. Its title is its heading, and its name in the navigation. */
const page = (title: string, load: LoadPage) => ({
  getParentRoute: () => signedIn,
  component: lazyPage(load),
  staticData: { title },
});

const openPages = [
  createRoute({
    path: '/sign-in',
    ...open(() => import('./sign-in/sign-in-page.tsx')),
    validateSearch: signInSearch,
  }),
  createRoute({
    path: '/set-password',
    ...open(() => import('./sign-in/set-password-page.tsx')),
  }),
  // The same page, for people who accept an invitation without setting a password.
  createRoute({
    path: '/join',
    ...open(() => import('./sign-in/set-password-page.tsx')),
  }),
  createRoute({
    path: '/support-view',
    ...open(() => import('./support-view/support-view-page.tsx')),
  }),
  createRoute({ path: '/forgot-password', ...open(() => import('./sign-in/forgot-password-page.tsx')) }),
  createRoute({
    path: '/register',
    ...open(() => import('./sign-in/register-page.tsx')),
    loader: () => queryClient.ensureQueryData(optionsQuery),
  }),
  createRoute({
    path: '/finish-registration',
    ...open(() => import('./sign-in/finish-registration-page.tsx')),
    loader: ({ location }) =>
      queryClient.ensureQueryData(linkQuery('registration-links', linkTokenIn(location.hash))),
  }),
  createRoute({
    path: '/suspended',
    ...open(() => import('./sign-in/suspended-page.tsx')),
    beforeLoad: async () => {
      // The account may be active again.
      const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (session === null) throw redirect({ to: '/sign-in' });
      if (!session.suspended) throw redirect({ to: '/' });
    },
  }),
] as const;

const pages = [
  createRoute({ path: '/', ...page('Overview', () => import('./overview/overview-page.tsx')) }),
  createRoute({
    path: '/orders',
    ...page('Orders', () => import('./orders/orders-page.tsx')),
    validateSearch: stringParameters(...orderListingNames),
    beforeLoad: ({ search }: { search: OrderListing }) => {
      if (search.query === undefined && !isOverdueOnly(search))
        void queryClient.prefetchQuery(orderPageQuery(search));
    },
  }),
  createRoute({
    path: '/orders/ship',
    ...page('Ship in bulk', () => import('./ship/ship-page.tsx')),
    validateSearch: stringParameters('ids'),
  }),
  createRoute({
    path: '/orders/slips',
    ...page('Packing slips', () => import('./slips/packing-slips-page.tsx')),
    validateSearch: stringParameters('ids'),
  }),
  createRoute({
    path: '/orders/$order',
    ...page('Order', () => import('./order/order-page.tsx')),
    loader: ({ params }) => {
      void queryClient.prefetchQuery(orderQuery(params.order));
    },
  }),
  createRoute({
    path: '/products',
    ...page('Products', () => import('./products/products-page.tsx')),
    validateSearch: stringParameters(...listingNames),
    // Runs as soon as the pointer is over a link. The page does not wait for it, but shows the previous list.
    // A loader that depends on the search would make each list a page of its own, and a slow browser would
    // replace it while the user types.
    beforeLoad: ({ search }) => {
      void queryClient.prefetchQuery(pageQuery(search));
      void queryClient.prefetchQuery(columnsQuery);
    },
  }),
  createRoute({
    path: '/products/import',
    ...page('Upload products', () => import('./imports/import-page.tsx')),
    validateSearch: stringParameters('id', 'status'),
  }),
  createRoute({
    path: '/products/new',
    ...page('Add product', () => import('./product/new-product-page.tsx')),
  }),
  createRoute({
    path: '/products/edit',
    ...page('Edit in spreadsheet', () => import('./product-table/product-table-page.tsx')),
    validateSearch: stringParameters('ids', ...listingNames),
  }),
  createRoute({
    path: '/products/$product',
    ...page('Product', () => import('./product/product-page.tsx')),
    loader: ({ params }) => {
      void queryClient.prefetchQuery(productQuery(params.product));
    },
  }),
  createRoute({
    path: '/campaigns',
    ...page('Campaigns', () => import('./campaigns/campaigns-page.tsx')),
    validateSearch: stringParameters('status', 'page', 'per_page'),
  }),
  createRoute({
    path: '/campaigns/$campaign',
    ...page('Campaign', () => import('./campaigns/campaign-page.tsx')),
    validateSearch: stringParameters('range', 'sort', 'lines', 'day', 'product'),
    loader: ({ params }) => {
      void queryClient.prefetchQuery(campaignQuery(params.campaign));
    },
  }),
  createRoute({
    path: '/sales',
    ...page('Sales', () => import('./sales/sales-page.tsx')),
    validateSearch: stringParameters(...salesNames),
  }),
  createRoute({
    path: '/keys',
    ...page('API keys', () => import('./keys/keys-page.tsx')),
    validateSearch: stringParameters('status'),
  }),
  createRoute({
    path: '/requests',
    ...page('API requests', () => import('./requests/requests-page.tsx')),
    validateSearch: stringParameters('status', 'key', 'path', 'request_id', 'hours'),
  }),
  createRoute({
    path: '/webhooks',
    ...page('Webhooks', () => import('./webhooks/webhooks-page.tsx')),
    validateSearch: stringParameters('webhook', 'status'),
  }),
  createRoute({
    path: '/reference',
    ...page('API reference', () => import('./reference/reference-page.tsx')),
  }),
  createRoute({
    path: '/reference/$group',
    ...page('API reference', () => import('./reference/reference-page.tsx')),
  }),
  createRoute({
    path: '/activity',
    ...page('Activity', () => import('./activity/activity-page.tsx')),
    validateSearch: stringParameters('who', 'type', 'day', 'field'),
    beforeLoad: ({ search }) => {
      void queryClient.prefetchInfiniteQuery(activityQuery(search));
    },
  }),
  createRoute({ path: '/team', ...page('Team', () => import('./team/team-page.tsx')) }),
  createRoute({ path: '/settings', ...page('Shop settings', () => import('./settings/settings-page.tsx')) }),
  createRoute({ path: '/account', ...page('Account', () => import('./account/account-page.tsx')) }),
  createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...openPages, signedIn.addChildren(pages)]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 150,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    title?: string;
  }
}
