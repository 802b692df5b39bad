import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, type LogLevel, type Rolldown } from 'vite';

const DIST = join(import.meta.dirname, 'dist');
const CONSOLE = join(DIST, 'console');
const configFile = join(import.meta.dirname, 'vite.config.ts');

/** Blank list parameters (`+` is a space): the build does not know the choices in the URL, and shows none. */
const BLANK_PARAMETERS = '?status=+&sort=+&per_page=+';

const START = ['start.tsx', 'sign-in/sign-in-page.tsx'].map((file) => join(import.meta.dirname, file));
const SHELL = join(import.meta.dirname, 'shell/shell.tsx');

/**
 * React, the rest of the first page, and the frame of signed-in users are one file each, and so are modules
 * that the same other pages use. Otherwise a page requests dozens of files with less than a kilobyte, six at
 * a time over HTTP/1.1. When small files were merged without the first three groups, pages loaded 8% more.
 */
const react = { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 };
const shared = { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 3_000 };
const codeSplitting = {
  groups: [
    react,
    { name: 'start', test: (id: string) => START.includes(id), priority: 2 },
    { name: 'shell', test: (id: string) => id === SHELL, priority: 1 },
    shared,
  ],
};

/** Names a shared file without the pages that use it, which are its name otherwise. */
function chunkFileNames({ name }: { name: string }): string {
  return name.startsWith('shared~') ? 'assets/shared-[hash].js' : 'assets/[name]-[hash].js';
}

/** Builds the console and the operator's screen, with a Brotli copy `x.br` next to each file `x`. */
export async function buildPages(logLevel: LogLevel): Promise<void> {
  rmSync(DIST, { recursive: true, force: true });
  await buildConsole(logLevel);
  await build({
    configFile: join(import.meta.dirname, 'operator/vite.config.ts'),
    logLevel,
    build: { rolldownOptions: { output: { codeSplitting: { groups: [react, shared] }, chunkFileNames } } },
  });
  compress(DIST);
}

/** Builds the console, and prerenders its pages. */
async function buildConsole(logLevel: LogLevel): Promise<void> {
  const built = await build({
    configFile,
    logLevel,
    build: { rolldownOptions: { output: { codeSplitting, chunkFileNames } } },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const server = join(CONSOLE, '.server');
  await build({
    configFile,
    logLevel,
    build: { ssr: join(import.meta.dirname, 'prerender.tsx'), outDir: server, copyPublicDir: false },
  });
  // Node has no window, and no server runs during the build.
  Object.assign(globalThis, { addEventListener: () => {}, fetch: () => new Promise(() => {}) });
  const { prerender, prerendered } = (await import(
    pathToFileURL(join(server, 'prerender.js')).href
  )) as typeof import('./prerender.tsx');
  const html = readFileSync(join(CONSOLE, 'index.html'), 'utf8');
  for (const path of prerendered) {
    const { title, markup } = await prerender(`/console${path}${BLANK_PARAMETERS}`);
    const name = path === '/' ? '/overview' : path;
    const file = join(CONSOLE, 'pages', `${name}.html`);
    mkdirSync(dirname(file), { recursive: true });
    const modules = ['/start.tsx', `/${basename(name)}-page.tsx`];
    if (path !== '/sign-in') modules.push('/shell/shell.tsx');
    writeFileSync(
      file,
      html
        .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
        .replace(/<title>.*<\/title>/, title)
        .replace('</head>', `${linksTo(modules, output, html).join('')}</head>`)
        .replace('<div id="root"></div>', () => `<div id="root">${markup}</div>`),
    );
  }
  rmSync(server, { recursive: true });
}

function compress(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
}

/** Returns links to the built files of the modules whose paths end so and their imports, unless in `html`. */
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
    const isModule = (id: string): boolean => id.startsWith(import.meta.dirname) && id.endsWith(module);
    const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.some(isModule));
    if (chunk === undefined) throw new Error(`the console has no module web/…${module}`);
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
