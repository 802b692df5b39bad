import type { FastifyReply, FastifyRequest } from 'fastify';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { frame } from '../../sync/framed-page.ts';
import { pathOf } from '../gate/request-target.ts';
import { prepareResponse, sendResponse } from '../responses/respond.ts';
import { type PageInput, pageLinks, pageOf } from './pages.ts';

export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { input, records, total }: { input: PageInput; records: readonly object[]; total: number },
): Promise<void> {
  const [start, end] = frame(pageOf(input), { total, count: records.length });
  const json = Buffer.from(records.map((each) => JSON.stringify(each)).join(','));
  const body = new RenderedJson(Buffer.concat([start, json, end]));
  const link = pageLinks(pathOf(request.url), input, { total });
  sendResponse(request, reply, await prepareResponse(body, request.headers['accept-encoding'], { link }));
}
