// The thread that sends webhooks and mails and fetches images: TLS handshakes would block the server's event
// loop.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { fetchWith } from './products/images/fetch-start.ts';
import type { SenderCommand, SenderData } from './sender-thread.ts';
import type { CallId, ThreadReply } from './shared/thread-calls.ts';
import { postWith } from './webhooks/post-message.ts';
import { PlainReceiverAgent, ReceiverAgent } from './webhooks/receiver-agent.ts';

/** In `nice` steps below the thread that serves requests. */
const LOWER_PRIORITY = 10;

/** Handshakes would otherwise take the core from requests. Linux has a priority for each thread. */
function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), LOWER_PRIORITY);
  } catch {
    // Other systems have no such file, and messages are sent at the usual priority.
  }
}

function serve(port: MessagePort, { authorities, mail }: SenderData): void {
  const secure = new ReceiverAgent(authorities);
  const post = postWith(secure);
  const fetchStart = fetchWith({ secure, plain: new PlainReceiverAgent() });
  const attempts = new Map<number, AbortController>();

  /** `send` never rejects: an error is part of its result. */
  const attempt = async <T>(number: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const controller = new AbortController();
    attempts.set(number, controller);
    const result = await send(controller.signal);
    attempts.delete(number);
    return result;
  };

  const run = async (command: SenderCommand): Promise<unknown> => {
    switch (command.command) {
      case 'post':
        return await attempt(command.attempt, (signal) => post(command.post, signal));
      case 'image':
        return await attempt(command.attempt, (signal) => fetchStart(command.image, signal));
      case 'mail':
        return await attempt(command.attempt, async (signal) => {
          // Loaded on demand, so that its library costs nothing without mail.
          const { SmtpClient } = await import('./mail/smtp-client.ts');
          return mail && (await new SmtpClient(mail).send(command.mail, signal));
        });
      case 'abort':
        return attempts.get(command.attempt)?.abort();
      case 'ping':
        return undefined;
    }
  };

  port.on('message', async ({ id, ...command }: SenderCommand & CallId) => {
    port.postMessage({ id, result: await run(command) } satisfies ThreadReply<never>);
  });
}

if (parentPort !== null) {
  lowerPriority();
  serve(parentPort, workerData);
}
