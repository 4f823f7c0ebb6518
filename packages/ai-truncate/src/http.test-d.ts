import { describe, expectTypeOf, it } from 'vitest';
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
  it('is a function from a request to a response, as route handlers are', () => {
    const handler = createArtifactHandler({ store, authorize: () => 'chat-1' });
    expectTypeOf(handler).toEqualTypeOf<(request: Request) => Promise<Response>>();
  });

  it('takes what authorize may give, now or later, and nothing else', () => {
    const options = (authorize: ArtifactHandlerOptions['authorize']) => ({ store, authorize });
    options(() => undefined);
    options(async ({ headers }) => headers.get('x-user'));
    options(async () => new Response(null, { status: 401 }));
    // @ts-expect-error That somebody is signed in does not say whose artifacts they may read.
    options(() => true);
    // @ts-expect-error
    options(async () => ({ scope: 'chat-1' }));
    // @ts-expect-error There is no default: whose artifacts would it give?
    createArtifactHandler({ store });
  });
});

describe('what it answers', () => {
  it('is JSON: dates are texts', () => {
    expectTypeOf<ArtifactInfoAnswer['expiresAt']>().toEqualTypeOf<string>();
    expectTypeOf<ArtifactLinesAnswer['nextLine']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ArtifactErrorAnswer['error']['message']>().toEqualTypeOf<string>();
  });

  it('is told apart by the type of an event, and an end that is not complete says where to go on', () => {
    const read = (event: ArtifactGrepEvent): string | number | undefined => {
      if (event.type === 'match') return event.line;
      if (event.type === 'error') return event.error.code;
      if (event.type === 'progress') return event.searchedTo;
      return event.ended === 'complete' ? event.totalBytes : event.next;
    };
    expectTypeOf(read).returns.toEqualTypeOf<string | number | undefined>();
  });
});
