import assert from 'node:assert/strict';
import type { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import type { Received, WebhookReceiver } from '../support/webhook-receiver.ts';
import type { FaultyProxy } from './faulty-proxy.ts';
import type { Runner } from './runner.ts';
import { assertMatches, type Command, isMatch, type Outcome, resolve, type Step } from './scenarios.ts';

/** Runs the steps of one scenario with a client, for a merchant of its own. */
export class ScenarioRun {
  readonly #service: TestService;
  readonly #runner: Runner;
  readonly #proxy: FaultyProxy;
  readonly #receiver: WebhookReceiver;
  readonly #tokens: Record<string, string>;
  readonly #settings: Record<string, string>;
  readonly #variables: Record<string, unknown>;

  constructor(parts: {
    service: TestService;
    runner: Runner;
    proxy: FaultyProxy;
    receiver: WebhookReceiver;
    tokens: Record<string, string>;
    settings: Record<string, string>;
    variables: Record<string, unknown>;
  }) {
    this.#service = parts.service;
    this.#runner = parts.runner;
    this.#proxy = parts.proxy;
    this.#receiver = parts.receiver;
    this.#tokens = parts.tokens;
    this.#settings = parts.settings;
    this.#variables = parts.variables;
  }

  async step(unresolved: Step, at: string): Promise<void> {
    const step = resolve(unresolved, this.#variables) as Step;
    this.#proxy.faults = [...(step.faults ?? [])];
    this.#proxy.requests.length = 0;
    const start = performance.now();
    const command = this.#command(step);
    let outcome = await this.#runner.run(command);
    if (step.until !== undefined)
      await until(async () => {
        if (isMatch(outcome.value, step.until)) return true;
        outcome = await this.#runner.run(command);
        return false;
      });
    const seconds = (performance.now() - start) / 1000;
    this.#expectOutcome(step, outcome, at);
    if (step.requests !== undefined) assertMatches(this.#proxy.requests, step.requests, `${at}: requests`);
    if (step.sameKey) assert.equal(new Set(this.#proxy.keys).size, 1, `${at}: Idempotency-Keys`);
    const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = step.seconds ?? {};
    assert.ok(seconds >= atLeast && seconds <= atMost, `${at}: took ${seconds} s`);
    if (step.as !== undefined) this.#variables[step.as] = outcome;
    if (step.message !== undefined) this.#variables.message = await this.#receive(step.message);
  }

  #command({ api = 'merchant', key = 'live', token, client = {}, ...step }: Step): Command {
    const path = api === 'merchant' ? this.#service.config.basePath : '/operator/v1';
    const known = this.#tokens[api === 'merchant' ? key : 'operator'];
    return {
      api,
      client: { baseUrl: this.#proxy.origin + path, token: token ?? known, ...this.#settings, ...client },
      call: step.call,
      args: step.args ?? [],
      options: step.options ?? {},
      ...(step.take !== undefined && { take: step.take }),
    };
  }

  #expectOutcome({ fails, returns, etag, raw }: Step, outcome: Outcome, at: string): void {
    if (fails !== undefined) assertMatches(outcome.error, fails, `${at}: error`);
    else assert.equal(outcome.error, undefined, `${at}: ${JSON.stringify(outcome.error)}`);
    if (returns !== undefined) assertMatches(outcome.value, returns, `${at}: value`);
    if (etag !== undefined) assertMatches(outcome.etag, etag, `${at}: etag`);
    if (raw !== undefined) assertMatches(outcome.raw, raw, `${at}: raw`);
  }

  async #receive(event: unknown): Promise<object> {
    const isOurs = ({ path, body }: Received): boolean =>
      path === `/hooks/${this.#variables.run}` && isMatch(JSON.parse(body), event);
    const find = (): Received | undefined => this.#receiver.received.find(isOurs);
    await until(() => find() !== undefined);
    const { headers, body } = find() ?? assert.fail();
    return { body, headers, now: Number(headers['webhook-timestamp']) };
  }
}
