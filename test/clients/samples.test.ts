import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { scopes } from '../../src/api-keys/scopes.ts';
import { groupsOf } from '../../web/reference/groups.ts';
import type { OpenApi } from '../../web/reference/open-api.ts';
import { type Language, languageNames, languages } from '../../web/reference/samples/languages.ts';
import { type SampleCall, type SampleTarget, sampleCallOf } from '../../web/reference/samples/sample-call.ts';
import { sampleParameters } from '../../web/reference/samples/sample-parameters.ts';
import { sqlite } from '../support/engines.ts';
import { createKey } from '../support/keys.ts';
import { temporaryDirectory } from '../support/process.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { isThorough } from '../support/thorough.ts';
import { autoloader } from './autoloader.ts';
import { languages as clients, whyNot } from './runner.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const CERTIFICATE = 'tradepost.pem';
/** They run after what needs the records, and leave none to the next language. */
const DELETING = ['deleteVariation', 'deleteProduct', 'resetTestSide'];
const ENDINGS: Record<Language, string> = { curl: 'sh', TypeScript: 'ts', PHP: 'php', Python: 'py' };

/** Programs that run all samples of a language, and print the name, the status and the error of each. */
const runners: Record<Language, string> = {
  curl: `curl() { command curl -sS -o body -D headers -w '%{http_code}' "$@"; }
for f in *.sh; do
  status=$(. "./$f"); error=$(sed -n 's/^tradepost-error: *//Ip' headers | tr -d '\\r')
  printf '["%s",%s,"%s"]\\n' "\${f%.sh}" "$status" "$error"
done
`,
  TypeScript: `import { readdirSync } from 'node:fs';
console.log = () => {};
for (const file of readdirSync('.').filter((name) => name.endsWith('.ts'))) {
  const name = file.slice(0, -3);
  const failed = (error) => [name, error.status ?? 0, error.code ?? String(error)];
  const result = await import('./' + file).then(() => [name, 200, ''], failed);
  process.stdout.write(JSON.stringify(result) + '\\n');
}
`,
  PHP: `<?php
foreach (glob('*.php') as $file) {
    $name = basename($file, '.php');
    ob_start();
    try {
        (static function () use ($file) { require $file; })();
        $result = [$name, 200, ''];
    } catch (Tradepost\\ApiError $error) {
        $result = [$name, $error->status, $error->errorCode];
    } catch (Throwable $error) {
        $result = [$name, 0, $error->getMessage()];
    }
    ob_end_clean();
    echo json_encode($result), "\\n";
}
`,
  Python: `import contextlib, glob, io, json, runpy
from tradepost import ApiError
for file in sorted(glob.glob("*.py")):
    name = file[:-3]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(file)
        result = [name, 200, ""]
    except ApiError as error:
        result = [name, error.status, error.code]
    except Exception as error:
        result = [name, 0, repr(error)]
    print(json.dumps(result))
`,
};

describe('the samples of the reference', () => {
  const service = useService(sqlite);
  let merchant: TestMerchant;
  let calls: SampleCall[];
  before(async () => {
    merchant = await service().newMerchant();
    const document = (await service().client.request('GET', '/openapi.json')).json<OpenApi>();
    const endpoints = groupsOf(document).flatMap((group) => group.endpoints);
    calls = endpoints.map((endpoint) => sampleCallOf(document, endpoint, sampleParameters));
    assert.ok(calls.length > 80);
  });

  const target = (token: string): SampleTarget => ({
    apiUrl: service().baseUrl,
    token,
    certificateFile: CERTIFICATE,
  });

  /** What decides how a sample is written. */
  const kindOf = ({ method, inPath, values, lines, file }: SampleCall): string =>
    [method, inPath.length, Object.keys(values).length > 0, lines !== null, file !== null].join();

  /** A sample in TypeScript of every call, and one of each kind in languages whose programs start slowly. */
  const callsIn = (language: Language): SampleCall[] =>
    isThorough || language === 'TypeScript'
      ? calls
      : calls.filter(
          (call) =>
            DELETING.includes(call.operationId) || call === calls.find((one) => kindOf(one) === kindOf(call)),
        );

  /** Writes the samples of a language into a folder in which they can run. */
  async function writeSamples(t: TestContext, language: Language): Promise<string> {
    const directory = await temporaryDirectory(t);
    const folder = join(directory, 'samples');
    await mkdir(join(folder, 'vendor'), { recursive: true });
    await mkdir(join(directory, 'node_modules'));
    await symlink(join(root, 'clients/typescript'), join(directory, 'node_modules/tradepost-client'));
    await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(folder, 'vendor/autoload.php'), autoloader(join(root, 'clients/php')));
    await writeFile(join(folder, 'products.csv'), 'identifier,title\nVASE-7,Stoneware vase\n');
    await copyFile(join(service().config.dataDirectory, 'tls-cert.pem'), join(folder, CERTIFICATE));
    for (const call of callsIn(language)) {
      const turn = DELETING.indexOf(call.operationId) + 1;
      const file = join(folder, `${turn}-${call.operationId}.${ENDINGS[language]}`);
      await writeFile(file, languages[language](call, target('')));
    }
    return directory;
  }

  it('have the token that was entered in the header only, and read it from the environment otherwise', () => {
    for (const call of calls)
      for (const language of languageNames) {
        const name = `${call.operationId} in ${language}`;
        const text = languages[language](call, target('tp_secret'));
        assert.equal(text.split('tp_secret').length, 2, name);
        assert.doesNotMatch(text, /access_token|TRADEPOST_TOKEN|undefined|\?\S*tp_secret/, name);
        assert.match(languages[language](call, target('')), /TRADEPOST_TOKEN/, name);
      }
  });

  it('of the operator API are commands with all values', async () => {
    const document = (await service().client.request('GET', '/operator/openapi.json')).json<OpenApi>();
    const endpoints = groupsOf(document).flatMap((group) => group.endpoints);
    assert.ok(endpoints.length > 60, `${endpoints.length}`);
    for (const endpoint of endpoints) {
      const sample = languages.curl(sampleCallOf(document, endpoint, {}), target('tp_secret'));
      assert.equal(sample.split('tp_secret').length, 2, sample);
      assert.doesNotMatch(sample, /undefined|\{\w+\}/, sample);
    }
  });

  it('pass the compiler of TypeScript with the types of the client', async (t) => {
    const directory = await writeSamples(t, 'TypeScript');
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.asynciterable'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    };
    const file = join(directory, 'tsconfig.json');
    await writeFile(file, JSON.stringify({ compilerOptions, include: ['samples'] }));
    const compiler = join(root, 'node_modules/typescript/lib/tsc.js');
    const { stdout } = await run(process.execPath, [compiler, '-p', file]).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(stdout, '');
  });

  for (const language of languageNames) {
    const client = clients.find(({ name }) => name === language);
    const skip = client === undefined ? false : whyNot(client);
    it(`run, and the service accepts their requests: ${language}`, { skip }, async (t) => {
      const directory = await writeSamples(t, language);
      const key = {
        merchantId: merchant.id,
        name: 'samples',
        expiresAt: null,
        mode: 'test',
        scopes,
      } as const;
      const { token } = await createKey(service(), key);
      const runner = join(directory, `run.${language === 'TypeScript' ? 'mjs' : ENDINGS[language]}`);
      const folder = join(directory, 'samples');
      await writeFile(runner, runners[language].replace("'./' + file", `'${folder}/' + file`));
      const [program, ...options] = client?.command.slice(0, 1) ?? ['bash'];
      const { stdout } = await run(program ?? '', [...options, runner], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          ...client?.environment(join(folder, CERTIFICATE)),
          TRADEPOST_TOKEN: token,
        },
      });
      const results = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as [name: string, status: number, error: string]);
      assert.equal(results.length, callsIn(language).length);
      // Examples name records that need not exist, and an import may be in progress.
      const isAccepted = (status: number, error: string): boolean =>
        [200, 201, 202, 409].includes(status) || (status === 404 && error !== 'not_found');
      assert.deepEqual(
        results.filter(([, status, error]) => !isAccepted(status, error)),
        [],
      );
    });
  }
});
