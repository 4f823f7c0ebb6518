import { config } from 'zod/v4/core';

// To be faster, zod asks whether it may make functions out of text. The policy of the page forbids that, and reports the question.
config({ jitless: true });
