import { asSchema, type FlexibleSchema, jsonSchema } from 'ai';
import { isTruncatedOutput } from '../protocol/truncated-output.ts';

/**
 * The output schema of a wrapped tool: its own schema, or the schema of a `TruncatedOutput`. The SDK validates stored chats
 * against it. With only the tool's own schema, a chat with a truncated output could not be loaded again. Text passes too,
 * because streams and values that JSON cannot carry become text.
 */
export function orTruncatedOutput(outputSchema: FlexibleSchema<unknown>): FlexibleSchema<unknown> {
  const own = asSchema(outputSchema);
  return jsonSchema(async () => ({ anyOf: [await own.jsonSchema, truncatedOutputSchema] }), {
    validate: async (value) => {
      if (isTruncatedOutput(value) || !own.validate) return { success: true, value };
      const result = await own.validate(value);
      return !result.success && typeof value === 'string' ? { success: true, value } : result;
    },
  });
}

/** For programs that are written against it. The actual check is `isTruncatedOutput`. */
const truncatedOutputSchema = {
  type: 'object',
  properties: {
    status: { enum: ['partial', 'error'] },
    data: {
      type: 'object',
      properties: {
        truncated: { const: true },
        truncation: {
          type: 'object',
          properties: {
            original_lines: { type: 'number' },
            original_bytes: { type: 'number' },
            full_output_path: { type: ['string', 'null'] },
          },
          required: ['original_lines', 'original_bytes', 'full_output_path'],
        },
        preview: { type: 'string' },
      },
      required: ['truncated', 'truncation', 'preview'],
    },
    text: { type: 'string' },
    stats: { type: 'object' },
    context: { type: 'object' },
  },
  required: ['status', 'data', 'text', 'stats', 'context'],
} as const;
