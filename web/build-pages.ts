import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, type LogLevel, type Rolldown } from 'vite';

const DIST = join(import.meta.dirname, 'dist');
const configFile = join(import.meta.dirname, 'vite.config.ts');

/** Blank list parameters (`+` is a space). The build does not know the URL's choices, so the prerendered page shows none. */
const BLANK_PARAMETERS = '?status=+&sort=+&per_page=+';

/**
 * Modules that the same pages use come in one file. Otherwise a page requests dozens of files with less than a kilobyte,
 * six at a time over HTTP/1.1.
 */
const codeSplitting = {
  groups: [{ name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 6_000 }],
};

/** Names a shared file without the pages that use it, which are its name otherwise. */
function chunkFileNames({ name }: { name: string }): string {
  return name.startsWith('shared~') ? 'assets/shared-[hash].js' : 'assets/[name]-[hash].js';
}

const signedIn = (page: string): string[] => ['shell/shell.tsx', page];
/** The prerendered pages, each with the modules that it loads. */
const pages: Record<string, string[]> = {
  'sign-in': ['sign-in/sign-in-page.tsx'],
  overview: signedIn('overview/overview-page.tsx'),
  products: signedIn('products/products-page.tsx'),
  'products/import': signedIn('imports/import-page.tsx'),
  campaigns: signedIn('campaigns/campaigns-page.tsx'),
  sales: signedIn('sales/sales-page.tsx'),
  keys: signedIn('keys/keys-page.tsx'),
  webhooks: signedIn('webhooks/webhooks-page.tsx'),
  reference: signedIn('reference/reference-page.tsx'),
  team: signedIn('team/team-page.tsx'),
  settings: signedIn('settings/settings-page.tsx'),
  account: signedIn('account/account-page.tsx'),
};

/** Builds the console, prerenders its pages, and writes a Brotli copy `x.br` next to each file `x`. */
export async function buildPages(logLevel: LogLevel): Promise<void> {
  const built = await build({
    configFile,
    logLevel,
    build: { rolldownOptions: { output: { codeSplitting, chunkFileNames } } },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const server = join(DIST, '.server');
  await build({
    configFile,
    logLevel,
    build: { ssr: join(import.meta.dirname, 'prerender.tsx'), outDir: server, copyPublicDir: false },
  });
  // Node has no window, and no server runs during the build.
  Object.assign(globalThis, { addEventListener: () => {}, fetch: () => new Promise(() => {}) });
  const { prerender } = (await import(
    pathToFileURL(join(server, 'prerender.js')).href
  )) as typeof import('./prerender.tsx');
  const html = readFileSync(join(DIST, 'index.html'), 'utf8');
  for (const [name, modules] of Object.entries(pages)) {
    const { title, markup } = await prerender(
      `/console/${name === 'overview' ? '' : name}${BLANK_PARAMETERS}`,
    );
    const file = join(DIST, 'pages', `${name}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      html
        .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
        .replace(/<title>.*<\/title>/, title)
        .replace('</head>', `${linksTo(['start.tsx', ...modules], output, html).join('')}</head>`)
        .replace('<div id="root"></div>', () => `<div id="root">${markup}</div>`),
    );
  }
  rmSync(server, { recursive: true });
  for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
}

/** Returns links to the built files of these modules and their imports, without those already in `html`. */
function linksTo(modules: string[], output: Rolldown.RolldownOutput['output'], html: string): string[] {
  const chunks = new Map(
    output.filter((part) => part.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (fileName: string): void => {
    const chunk = chunks.get(fileName);
    if (chunk === undefined || scripts.has(fileName)) return;
    scripts.add(fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
    chunk.imports.forEach(add);
  };
  for (const module of modules) {
    const id = join(import.meta.dirname, module);
    const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(id));
    if (chunk === undefined) throw new Error(`web/${module} is not a module of the console`);
    add(chunk.fileName);
  }
  const missing = (file: string): boolean => !html.includes(`/console/${file}`);
  return [
    ...[...styles]
      .filter(missing)
      .map((file) => `<link rel="stylesheet" crossorigin href="/console/${file}">`),
    ...[...scripts]
      .filter(missing)
      .map((file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/console/${file}">`),
  ];
}
