import openapiTypeScript, { astToString } from 'openapi-typescript';
import type { DocumentPath } from '../read-documents.ts';

/** The files in `src` with the types of the OpenAPI documents. */
export const documents: Readonly<Record<DocumentPath, string>> = {
  '/openapi.json': 'openapi.ts',
  '/operator/openapi.json': 'operator-openapi.ts',
};

const header = (path: DocumentPath): string => `// Generated from ${path} by \`npm run build\`.\n\n`;

/** Returns the TypeScript source of the types of the OpenAPI document at a path, which is given in JSON. */
export async function generateTypes(path: DocumentPath, document: string): Promise<string> {
  // A default is what the service takes for a parameter that is not sent.
  const source = await openapiTypeScript(document, { defaultNonNullable: false });
  return header(path) + astToString(source);
}
