import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { campaignQuery } from './campaigns/queries.ts';
import { auditQuery } from './keys/queries.ts';
import { listingNames } from './products/listing.ts';
import { pageQuery, productQuery } from './products/queries.ts';
import { lazyPage } from './routing/lazy-page.ts';
import { type SearchParameters, stringifySearch, stringParameters } from './routing/search-params.ts';
import { queryClient } from './server/query-client.ts';
import { optionsQuery, sessionQuery } from './session/session.ts';
import { NotFoundWindow } from './shell/not-found.tsx';
import { PageError } from './shell/page-error.tsx';
import { PageSkeleton, ShellSkeleton } from './shell/page-skeleton.tsx';
import { linkQuery } from './sign-in/link-query.ts';
import { NotFound } from './ui/not-found.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundWindow });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: SearchParameters): { next?: string | undefined } => {
    // Accept only paths within the console: `//host` would lead to another site.
    return { next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined };
  },
  component: lazyPage(() => import('./sign-in/sign-in-page.tsx')),
});

const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  validateSearch: stringParameters('token'),
  component: lazyPage(() => import('./sign-in/set-password-page.tsx')),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyPage(() => import('./sign-in/forgot-password-page.tsx')),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  loader: () => queryClient.ensureQueryData(optionsQuery),
  component: lazyPage(() => import('./sign-in/register-page.tsx')),
});

const finishRegistration = createRoute({
  getParentRoute: () => root,
  path: '/finish-registration',
  validateSearch: stringParameters('token'),
  loaderDeps: ({ search }: { search: { token?: string } }) => ({ token: search.token ?? '' }),
  loader: ({ deps }) => queryClient.ensureQueryData(linkQuery('registration-links', deps.token)),
  component: lazyPage(() => import('./sign-in/finish-registration-page.tsx')),
});

const suspended = createRoute({
  getParentRoute: () => root,
  path: '/suspended',
  beforeLoad: async () => {
    // The account may be active again.
    const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (session === null) throw redirect({ to: '/sign-in' });
    if (!session.suspended) throw redirect({ to: '/' });
  },
  component: lazyPage(() => import('./sign-in/suspended-page.tsx')),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) {
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
    }
    if (session.suspended) throw redirect({ to: '/suspended' });
    if (session.two_factor_missing && location.pathname !== '/account') throw redirect({ to: '/account' });
  },
  component: lazyPage(() => import('./shell/shell.tsx')),
  pendingComponent: ShellSkeleton,
});

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyPage(() => import('./overview/overview-page.tsx')),
});

const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  loader: () => {
    void queryClient.prefetchInfiniteQuery(auditQuery);
  },
  component: lazyPage(() => import('./keys/keys-page.tsx')),
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks',
  validateSearch: stringParameters('webhook'),
  component: lazyPage(() => import('./webhooks/webhooks-page.tsx')),
});

const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/requests',
  validateSearch: stringParameters('status', 'key', 'path', 'request_id', 'hours'),
  component: lazyPage(() => import('./requests/requests-page.tsx')),
});

const products = createRoute({
  getParentRoute: () => signedIn,
  path: '/products',
  validateSearch: stringParameters(...listingNames),
  // Runs as soon as the pointer is over a link. The page does not wait for it, but shows the previous list. A loader that
  // depends on the search would make each list a page of its own, and a slow browser would replace it while the user types.
  beforeLoad: ({ search }) => {
    void queryClient.prefetchQuery(pageQuery(search));
  },
  component: lazyPage(() => import('./products/products-page.tsx')),
});

const product = createRoute({
  getParentRoute: () => signedIn,
  path: '/products/$product',
  loader: ({ params }) => {
    void queryClient.prefetchQuery(productQuery(params.product));
  },
  component: lazyPage(() => import('./product/product-page.tsx')),
});

const newProduct = createRoute({
  getParentRoute: () => signedIn,
  path: '/products/new',
  component: lazyPage(() => import('./product/new-product-page.tsx')),
});

const editTable = createRoute({
  getParentRoute: () => signedIn,
  path: '/products/edit',
  validateSearch: stringParameters('ids', ...listingNames),
  component: lazyPage(() => import('./product-table/product-table-page.tsx')),
});

const upload = createRoute({
  getParentRoute: () => signedIn,
  path: '/products/import',
  validateSearch: stringParameters('id'),
  component: lazyPage(() => import('./imports/import-page.tsx')),
});

const campaigns = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns',
  validateSearch: stringParameters('status', 'page', 'per_page'),
  component: lazyPage(() => import('./campaigns/campaigns-page.tsx')),
});

const campaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/$campaign',
  loader: ({ params }) => {
    void queryClient.prefetchQuery(campaignQuery(params.campaign));
  },
  component: lazyPage(() => import('./campaigns/campaign-page.tsx')),
});

const sales = createRoute({
  getParentRoute: () => signedIn,
  path: '/sales',
  validateSearch: stringParameters('months', 'duration', 'page', 'month', 'product'),
  component: lazyPage(() => import('./sales/sales-page.tsx')),
});

const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/team',
  component: lazyPage(() => import('./team/team-page.tsx')),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyPage(() => import('./settings/settings-page.tsx')),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyPage(() => import('./account/account-page.tsx')),
});

const reference = createRoute({
  getParentRoute: () => signedIn,
  path: '/reference',
  validateSearch: stringParameters('group'),
  component: lazyPage(() => import('./reference/reference-page.tsx')),
});

const unknown = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: NotFound,
});

const pages = [
  overview,
  keys,
  webhooks,
  requests,
  products,
  upload,
  newProduct,
  editTable,
  product,
  campaigns,
  campaign,
  sales,
  team,
  settings,
  account,
  reference,
  unknown,
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    setPassword,
    forgotPassword,
    register,
    finishRegistration,
    suspended,
    signedIn.addChildren(pages),
  ]),
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
}
