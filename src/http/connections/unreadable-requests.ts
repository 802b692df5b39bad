import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DomainError } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { MAX_HEADER_BYTES } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { commonErrorHeaders, errorBody, errorHeaders } from '../responses/send-error.ts';
import { statusOf } from '../responses/statuses.ts';
import { type Connections, destroyAfter } from './connections.ts';

const LAST_RESPONSE_TIMEOUT_MS = 2_000;

/** The error of Node's HTTP parser, or of the connection; empty for a CONNECT request. */
interface ParserError {
  code?: string;
  /** The bytes that it was reading. */
  rawPacket?: unknown;
}

/** The headers of the console's responses; undefined for other targets. */
type ConsoleHeaders = (target: string | undefined) => ReadonlyMap<string, string> | undefined;

export class UnreadableRequests {
  readonly #connections: Connections;
  readonly #consoleHeaders: ConsoleHeaders;

  constructor(connections: Connections, consoleHeaders: ConsoleHeaders) {
    this.#connections = connections;
    this.#consoleHeaders = consoleHeaders;
  }

  /** Responds after the responses to earlier requests, if the connection can still take a response. */
  respond(error: ParserError, socket: Duplex): void {
    const { code } = error;
    const unfinished = this.#connections.unfinished(socket);
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && unfinished?.request.context?.hasSlowBody === true) return;
    // The last response is already scheduled and ends the connection. Destroying it now would lose it.
    if (!this.#connections.claimLastResponse(socket)) return;
    if (code === 'ECONNRESET' || code === 'ERR_TLS_HANDSHAKE_TIMEOUT' || !socket.writable) {
      socket.destroy();
      return;
    }
    // Bytes after the last request of a connection need no response, and the connection ends by itself.
    if (code === 'HPE_CLOSED_CONNECTION') return;
    const isAnsweredEarly = unfinished?.response.writableEnded === true;
    this.#connections.afterResponses(socket, () => {
      if (isAnsweredEarly) socket.end();
      else if (socket.writable) socket.end(this.#render(error, unfinished?.request));
      // Closes a connection that does not receive its last response, as during its handshake.
      destroyAfter(LAST_RESPONSE_TIMEOUT_MS, socket);
    });
  }

  /** `request` is undefined if its headers could not be read either. */
  #render(parserError: ParserError, request: IncomingMessage | undefined): string {
    const error = toDomainError(parserError);
    const body = errorBody(error);
    const consoleHeaders = this.#consoleHeadersOf(request?.url ?? targetOf(parserError));
    const common =
      consoleHeaders === undefined ? errorHeaders(error) : { ...commonErrorHeaders, ...consoleHeaders };
    const headers = {
      ...common,
      'content-length': Buffer.byteLength(body),
      'x-request-id': request?.context?.id ?? randomUUID(),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${statusOf(error)} Error\r\n${lines.join('')}\r\n${body}`;
  }

  #consoleHeadersOf(target: string | undefined): Record<string, string> | undefined {
    const headers = target === undefined ? undefined : this.#consoleHeaders(target);
    return headers && Object.fromEntries(headers);
  }
}

function toDomainError(error: ParserError): DomainError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.request_timeout();
  if (error.code !== 'HPE_HEADER_OVERFLOW') return requestErrors.malformed_request();
  // If these bytes begin with the request line and contain no line end, the target is too long.
  return /^[A-Z]+ [^\n]*$/.test(beginningOf(error))
    ? requestErrors.url_too_long()
    : requestErrors.headers_too_large();
}

function beginningOf({ rawPacket }: ParserError): string {
  return Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, MAX_HEADER_BYTES) : '';
}

function targetOf(error: ParserError): string | undefined {
  return /^[A-Z]+ (\S+)/.exec(beginningOf(error))?.[1];
}
