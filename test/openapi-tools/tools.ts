import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnDemand } from '../../bench/measuring/import-on-demand.ts';

const PACKAGES = [
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  '@stoplight/spectral-cli@6.16.3',
  // The generators and the code that they generate import these.
  'typescript@5.9.3',
  'zod@4.6.7',
];

const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
};

export interface Tools {
  directory: string;
  checks: readonly Check[];
}

interface Check {
  check: string;
  /** The problems that a tool finds in a document. `directory` is for what it generates. */
  run(file: string, directory: string): Promise<string[]>;
}

/** Installs tools in `node_modules/.cache`, unless they have been installed. */
export async function installTools(): Promise<Tools> {
  const directory = await installOnDemand('openapi-tools', PACKAGES);
  const program = (path: string): string => join(directory, 'node_modules', path);
  const compile = async (code: string): Promise<string[]> => {
    await writeFile(join(code, 'tsconfig.json'), JSON.stringify(tsconfig));
    return linesOf(await runProgram(program('typescript/bin/tsc'), ['-p', code, '--pretty', 'false']));
  };
  return {
    directory,
    checks: [
      {
        check: 'the client of hey-api compiles',
        run: async (file, directory) => {
          const code = join(directory, 'hey-api');
          const options = ['--input', file, '--output', code, '--no-log-file', '--silent'];
          const generated = await runProgram(program('@hey-api/openapi-ts/bin/run.js'), options);
          return generated.status === 0 ? await compile(code) : linesOf(generated);
        },
      },
      ...(['fetch', 'zod'] as const).map((client) => ({
        check: `the ${client} client of orval compiles`,
        run: async (file: string, directory: string) => {
          const code = join(directory, `orval-${client}`);
          await mkdir(code, { recursive: true });
          const options = ['--input', file, '--output', join(code, 'client.ts'), '--client', client];
          const generated = await runProgram(program('orval/dist/bin/orval.mjs'), options);
          return generated.status === 0 ? await compile(code) : linesOf(generated);
        },
      })),
      {
        check: 'Spectral finds no errors',
        run: async (file, directory) => {
          const ruleset = join(directory, 'ruleset.json');
          await writeFile(ruleset, JSON.stringify({ extends: 'spectral:oas' }));
          const options = [
            'lint',
            '--ruleset',
            ruleset,
            '--format',
            'text',
            '--fail-severity',
            'error',
            file,
          ];
          const linted = await runProgram(program('@stoplight/spectral-cli/dist/index.js'), options);
          return linted.status === 0 ? [] : linesOf(linted);
        },
      },
    ],
  };
}

interface Finished {
  status: number;
  output: string;
}

async function runProgram(path: string, options: readonly string[]): Promise<Finished> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [path, ...options], {
      maxBuffer: 2 ** 26,
    });
    return { status: 0, output: stdout };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') throw error;
    const output = ['stdout', 'stderr'].map((name) => String(Reflect.get(error, name) ?? '')).join('');
    return { status: error.code, output };
  }
}

function linesOf({ status, output }: Finished): string[] {
  return status === 0
    ? []
    : [`exit status ${status}`, ...output.split('\n').filter((line) => line.trim() !== '')];
}
