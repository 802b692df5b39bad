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
import { withTimeout } from '../shared/timeout.ts';

const SERVICE_NAME = 'tradepost';
const FLUSH_TIMEOUT_MS = 2_000;

/**
 * Traces requests and sends the spans to `url`. All other settings are OpenTelemetry's environment variables.
 * Spans contain the route, or `unknownRoute`, never the URL, which may contain a token.
 */
export async function traceRequests(app: FastifyInstance, url: string, unknownRoute: string): Promise<void> {
  const named = defaultResource().merge(resourceFromAttributes({ 'service.name': SERVICE_NAME }));
  const provider = new NodeTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [withoutMessages(new BatchSpanProcessor(new OTLPTraceExporter({ url })))],
  });
  provider.register();
  const instrumentation = new FastifyOtelInstrumentation({
    // Exceptions may contain values that the client sent.
    recordExceptions: false,
    instrumentHooks: false,
    requestHook: (span, { method, routeOptions }) => {
      const route = routeOptions.url ?? unknownRoute;
      span.updateName(`${method} ${route}`);
      span.setAttribute('url.path', route);
    },
  });
  instrumentation.setTracerProvider(provider);
  await app.register(instrumentation.plugin());
  // An unavailable collector must not delay the shutdown.
  app.addHook('onClose', () =>
    withTimeout(
      FLUSH_TIMEOUT_MS,
      provider.shutdown().catch(() => {}),
      undefined,
    ),
  );
}

/** Messages may contain merchants' data or a token. */
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
