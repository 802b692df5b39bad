import { record, type Schema } from '../../http/schema.ts';

export interface EventDescription<Data> {
  summary: string;
  /** When it is recorded. */
  description: string;
  data: Schema;
  example: Data;
  /** The catalog's revision in the example; null for events that are not about products. */
  revision: number | null;
}

/** The schema of an object with exactly these keys, without a name. */
export function fields<Shape>(properties: { [Name in keyof Shape]-?: Schema }): Schema {
  const { title: _, description: __, ...schema } = record<Shape>('', '', properties);
  return schema;
}

/** The schema of an event that announces changes of a list. */
export function changedSince(list: 'orders' | 'products'): Schema {
  return fields<{ changed_since: string }>({
    changed_since: {
      type: 'string',
      description: `The value of \`changed_since\` with which \`GET ${list}\` returns these changes.`,
    },
  });
}
