import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, type LogLevel, type Rolldown } from 'vite';

const DIST = join(import.meta.dirname, 'dist');

interface Application {
  name: 'console' | 'operator';
  /** The folder of its configuration and its pages. */
  folder: string;
  /** Blank parameters of lists (`+` is a space): the build does not know what the URL chooses. */
  blank: string;
}

const applications: readonly Application[] = [
  { name: 'console', folder: import.meta.dirname, blank: '?status=+&sort=+&per_page=+' },
  { name: 'operator', folder: join(import.meta.dirname, 'operator'), blank: '?status=+&state=+&failing=+' },
];

/**
 * React, the rest of the first page, and the frame of signed-in users are one file each, and so are modules
 * that the same other pages use. Otherwise a page requests dozens of files with less than a kilobyte, six at
 * a time over HTTP/1.1. When small files were merged without the first three groups, pages loaded 8% more.
 */
function codeSplittingOf({ folder }: Application) {
  const start = ['start.tsx', 'sign-in/sign-in-page.tsx'].map((file) => join(folder, file));
  const shell = join(folder, 'shell/shell.tsx');
  return {
    groups: [
      { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
      { name: 'start', test: (id: string) => start.includes(id), priority: 2 },
      { name: 'shell', test: (id: string) => id === shell, priority: 1 },
      { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 3_000 },
    ],
  };
}

/** Names a shared file without the pages that use it, which are its name otherwise. */
function chunkFileNames({ name }: { name: string }): string {
  return name.startsWith('shared~') ? 'assets/shared-[hash].js' : 'assets/[name]-[hash].js';
}

/** Builds the console and the operator's screen, with a Brotli copy `x.br` next to each file `x`. */
export async function buildPages(logLevel: LogLevel): Promise<void> {
  rmSync(DIST, { recursive: true, force: true });
  // Node has no window, and no server runs during the build.
  Object.assign(globalThis, { addEventListener: () => {}, fetch: () => new Promise(() => {}) });
  for (const application of applications) await buildApplication(application, logLevel);
  compress(DIST);
}

/** Builds an application, and prerenders its pages. */
async function buildApplication(application: Application, logLevel: LogLevel): Promise<void> {
  const { name, folder, blank } = application;
  const configFile = join(folder, 'vite.config.ts');
  const built = await build({
    configFile,
    logLevel,
    build: {
      rolldownOptions: { output: { codeSplitting: codeSplittingOf(application), chunkFileNames } },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const directory = join(DIST, name);
  const server = join(directory, '.server');
  await build({
    configFile,
    logLevel,
    build: { ssr: join(folder, 'prerender.tsx'), outDir: server, copyPublicDir: false },
  });
  const { prerender, prerendered } = (await import(
    pathToFileURL(join(server, 'prerender.js')).href
  )) as typeof import('./prerender.tsx');
  const html = readFileSync(join(directory, 'index.html'), 'utf8');
  for (const path of prerendered) {
    const { title, markup } = await prerender(`/${name}${path}${blank}`);
    const page = path === '/' ? '/overview' : path;
    const file = join(directory, 'pages', `${page}.html`);
    mkdirSync(dirname(file), { recursive: true });
    const modules = ['/start.tsx', `/${basename(page)}-page.tsx`];
    if (path !== '/sign-in') modules.push('/shell/shell.tsx');
    writeFileSync(
      file,
      html
        .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
        .replace(/<title>.*<\/title>/, title)
        .replace('</head>', `${linksTo(modules, { application, output, html }).join('')}</head>`)
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

interface Built {
  application: Application;
  output: Rolldown.RolldownOutput['output'];
  /** The page without what it links to. */
  html: string;
}

/** Returns links to the built files of the modules whose paths end so and their imports, unless in `html`. */
function linksTo(modules: string[], { application: { name, folder }, output, html }: Built): string[] {
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
    const isModule = (id: string): boolean => id.startsWith(folder) && id.endsWith(module);
    const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.some(isModule));
    if (chunk === undefined) throw new Error(`${folder} has no module …${module}`);
    add(chunk.fileName);
  }
  const missing = (file: string): boolean => !html.includes(`/${name}/${file}`);
  return [
    ...[...styles]
      .filter(missing)
      .map((file) => `<link rel="stylesheet" crossorigin href="/${name}/${file}">`),
    ...[...scripts]
      .filter(missing)
      .map((file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${name}/${file}">`),
  ];
}
