import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';

/** The service handles it already, and waits for the body. */
export interface StartedPost {
  request: ClientRequest;
  response: Promise<IncomingMessage>;
}

/** Resolves once the service asks for the body (`100 Continue`). */
export async function startPost(url: URL, ca: string): Promise<StartedPost> {
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
  // The caller may await it later; until then, a rejection is not unhandled.
  response.catch(() => {});
  return { request: post, response };
}
