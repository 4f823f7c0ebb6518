import { describe, expectTypeOf, test } from 'vitest';
import type {
  ArtifactErrorAnswer,
  ArtifactGrepEvent,
  ArtifactHandlerOptions,
  ArtifactInfoAnswer,
  ArtifactLinesAnswer,
} from './http.ts';
import { createArtifactHandler } from './http.ts';
import { memoryStore } from './index.ts';

const store = memoryStore();

describe('createArtifactHandler', () => {
  test('is a function from a request to a response, like route handlers', () => {
    const handler = createArtifactHandler({ store, authorize: () => 'chat-1' });
    expectTypeOf(handler).toEqualTypeOf<(request: Request) => Promise<Response>>();
  });

  test('accepts the values that authorize may return, now or later, and nothing else', () => {
    const options = (authorize: ArtifactHandlerOptions['authorize']) => ({ store, authorize });
    options(() => undefined);
    options(async ({ headers }) => headers.get('x-user'));
    options(async () => new Response(null, { status: 401 }));
    // @ts-expect-error Being signed in does not say whose artifacts a user may read.
    options(() => true);
    // @ts-expect-error
    options(async () => ({ scope: 'chat-1' }));
    // @ts-expect-error There is no default owner.
    createArtifactHandler({ store });
  });
});

describe('the answers', () => {
  test('are JSON, so dates are texts', () => {
    expectTypeOf<ArtifactInfoAnswer['expiresAt']>().toEqualTypeOf<string>();
    expectTypeOf<ArtifactLinesAnswer['nextLine']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ArtifactErrorAnswer['error']['message']>().toEqualTypeOf<string>();
  });

  test('are distinguished by the type of an event, and an incomplete end says where to continue', () => {
    const read = (event: ArtifactGrepEvent): string | number | undefined => {
      if (event.type === 'match') return event.line;
      if (event.type === 'error') return event.error.code;
      if (event.type === 'progress') return event.searchedTo;
      return event.ended === 'complete' ? event.totalBytes : event.next;
    };
    expectTypeOf(read).returns.toEqualTypeOf<string | number | undefined>();
  });
});
