import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Engine } from './engines.ts';
import { type Settings, startTestService, type TestService } from './service.ts';

export function useTwoNodes(
  engine: Engine,
  settings: () => Settings = () => ({}),
): () => [TestService, TestService] {
  let nodes: [TestService, TestService];
  before(async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'tradepost-'));
    const environment = { ...(await engine.environment()), DATA_DIR };
    const shared = { name: engine.name, environment: async () => environment };
    nodes = await Promise.all([startTestService(shared, settings()), startTestService(shared, settings())]);
  });
  after(async () => {
    await nodes[1].stop();
    await nodes[0].close();
  });
  return () => nodes;
}
