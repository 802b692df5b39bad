import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';

/** A request that the service has started to handle; it waits for the body. */
export interface BegunPost {
  request: ClientRequest;
  response: Promise<IncomingMessage>;
}

/** Starts to post a form; resolves once the service asks for the body (`100 Continue`). */
export async function beginPost(url: URL, ca: string): Promise<BegunPost> {
  const post = request(url, {
    method: 'POST',
    ca,
    headers: { 'content-type': 'application/x-www-form-urlencoded', expect: '100-continue' },
  });
  post.flushHeaders();
  await once(post, 'continue');
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    post.once('response', resolve);
    post.on('error', reject);
  });
  // Handled by whoever awaits it, which may be later.
  response.catch(() => {});
  return { request: post, response };
}
