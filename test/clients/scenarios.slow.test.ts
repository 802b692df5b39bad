import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importScheduleDrafts } from '../support/catalog.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { type Language, languages, Runner, whyNot } from './runner.ts';
import { ScenarioRun } from './scenario-run.ts';
import { readScenarios, type Scenario } from './scenarios.ts';

const scenarios = readScenarios();
const COLUMNS = 'identifier,title\nclay-pot,Clay pot\noak-lamp,Oak lamp\n,No identifier\n';
async function prepare(service: TestService, merchant: TestMerchant, { given }: Scenario): Promise<void> {
  const { products, schedules = [] } = given ?? {};
  if (products !== undefined) {
    const lines = Array.from({ length: products.count }, (_, index) =>
      JSON.stringify(products.record).replaceAll('{n}', String(index + 1)),
    );
    const headers = { authorization: `Bearer ${merchant.token}`, 'content-type': 'application/x-ndjson' };
    const response = await service.request('POST', '/products/batch', { headers, body: lines.join('\n') });
    assert.equal(response.json<{ created: number }>().created, products.count, response.text);
  }
  await importScheduleDrafts(service, merchant, [
    schedules.map((schedule) => ({
      merchant: null,
      ...schedule,
      scheduled_at: Date.parse(String(schedule.scheduled_at)),
    })),
  ]);
}

function testClient(
  language: Language,
  engine: Engine,
  service: () => TestService,
  receiver: () => WebhookReceiver,
): void {
  describe(`the ${language.name} client`, { skip: whyNot(language), concurrency: 1 }, () => {
    let runner: Runner;
    let proxy: FaultyProxy;
    let certificate: string;
    let file: string;
    before(async () => {
      certificate = join(service().config.dataDirectory, 'tls-cert.pem');
      file = join(service().config.dataDirectory, `${language.name}.csv`);
      await writeFile(file, COLUMNS);
      runner = new Runner(language, certificate);
      proxy = await FaultyProxy.start(service());
    });
    after(async () => {
      await runner.close();
      await proxy[Symbol.asyncDispose]();
    });

    for (const [index, scenario] of scenarios.entries()) {
      it(scenario.name, async () => {
        const merchant = await service().newMerchant();
        await prepare(service(), merchant, scenario);
        const name = `${language.name}-${engine.name}-${index}`.toLowerCase();
        const run = new ScenarioRun({
          service: service(),
          runner,
          proxy,
          receiver: receiver(),
          tokens: {
            live: merchant.token,
            test: (await service().newTestKey(merchant)).token,
            unknown: 'tp_unknown',
            operator: await service().newOperatorToken(),
          },
          settings: language.trust(certificate),
          variables: { run: name, file, token: merchant.token, receiver: `${receiver().url}/${name}` },
        });
        for (const [number, step] of scenario.steps.entries())
          await run.step(step, `step ${number + 1}, ${step.call}`);
      });
    }
  });
}

it('there are about 60 scenarios, each with a name of its own', () => {
  assert.ok(scenarios.length >= 60);
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length);
});

forEachEngine((engine) => {
  describe('the scenarios of clients/scenarios.json', { concurrency: languages.length }, () => {
    let receiver: WebhookReceiver;
    before(async () => {
      receiver = await WebhookReceiver.start();
    });
    after(() => receiver.close());
    const service = useService(engine, { findAddress: addressesOf(() => [receiver]) });
    for (const language of languages) testClient(language, engine, service, () => receiver);
  });
});
