import { describe, expect, test } from 'vitest';
import { actingModel } from '../../../fixtures/acting-model.ts';
import { exploreBudget, requireExploreOptions } from './options.ts';

const model = actingModel(() => 'done');

describe('the budget of a search', () => {
  test('has defaults', () => {
    const defaults = { maxSteps: 12, maxScanBytes: 2_147_483_648, maxOutputTokens: 20_000, timeoutMs: 120_000 };
    expect(exploreBudget({ model })).toEqual(defaults);
    expect(exploreBudget({ model, maxSteps: undefined, timeoutMs: 1 })).toEqual({ ...defaults, timeoutMs: 1 });
  });
});

describe('options', () => {
  test.each<[string, object]>([
    ['a model', { model }],
    ['the name of a model', { model: 'openai/gpt-5-mini' }],
    ['the smallest limits', { model, maxSteps: 2, maxScanBytes: 1, maxOutputTokens: 256, timeoutMs: 1 }],
    ['the largest limits', { model, maxSteps: 50, timeoutMs: 2 ** 30 }],
    ['more settings', { model, instructions: 'x', providerOptions: {}, telemetry: { isEnabled: false } }],
  ])('may be %s', (_, options) => {
    expect(() => requireExploreOptions(options)).not.toThrow();
  });
});

describe('an invalid option is refused at once', () => {
  test.each([
    ['explore', undefined],
    ['explore.model', {}],
    ['explore.model', { model: 7 }],
    ['explore.model', { model: {} }],
    ['explore.model', { model: '' }],
    ['explore.maxSteps', { model, maxSteps: 1 }],
    ['explore.maxSteps', { model, maxSteps: 51 }],
    ['explore.maxScanBytes', { model, maxScanBytes: 0 }],
    ['explore.maxOutputTokens', { model, maxOutputTokens: 255 }],
    ['explore.timeoutMs', { model, timeoutMs: Number.NaN }],
    ['explore.timeoutMs', { model, timeoutMs: 2 ** 30 + 1 }],
    ['explore.instructions', { model, instructions: 7 }],
    ['explore.maxstep', { model, maxstep: 3 }],
  ])('%s', (option, options) => {
    expect(() => requireExploreOptions(options)).toThrow(expect.objectContaining({ option }));
  });
});
