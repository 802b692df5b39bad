import { FastifyOtelInstrumentation } from '@fastify/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { FastifyInstance } from 'fastify';
import { UNKNOWN_ROUTE } from '../http/request-context.ts';
import { withTimeout } from '../shared/timeout.ts';

const SERVICE_NAME = 'tradepost';
const LAST_SPANS_MS = 2_000;

/**
 * Traces each request of an app, and sends the spans to `url`. Everything else is OpenTelemetry's own
 * environment variables, which its packages read. A span names the route, never the address: that may hold a token.
 */
export async function traceRequests(app: FastifyInstance, url: string): Promise<void> {
  const named = defaultResource().merge(resourceFromAttributes({ 'service.name': SERVICE_NAME }));
  const provider = new NodeTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [withoutMessages(new BatchSpanProcessor(new OTLPTraceExporter({ url })))],
  });
  provider.register();
  const instrumentation = new FastifyOtelInstrumentation({
    // What was thrown repeats what the caller sent.
    recordExceptions: false,
    instrumentHooks: false,
    requestHook: (span, { method, routeOptions }) => {
      const route = routeOptions.url ?? UNKNOWN_ROUTE;
      span.updateName(`${method} ${route}`);
      span.setAttribute('url.path', route);
    },
  });
  instrumentation.setTracerProvider(provider);
  await app.register(instrumentation.plugin());
  // A collector that is away does not hold up the end.
  app.addHook('onClose', () =>
    withTimeout(
      LAST_SPANS_MS,
      provider.shutdown().catch(() => {}),
      undefined,
    ),
  );
}

/** Leaves out the text of errors, which may hold values of merchants' or of a token. */
function withoutMessages(processor: SpanProcessor): SpanProcessor {
  return {
    onStart: (span, context) => processor.onStart(span, context),
    onEnd: (span: ReadableSpan) => {
      delete span.status.message;
      processor.onEnd(span);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}
