import { ToolLoopAgent } from 'ai';
import { describe, expect, test } from 'vitest';
import { actingModel } from '../../../fixtures/acting-model.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { requireDescription, requireTaskOptions } from './options.ts';
import type { SubAgent } from './sub-agent.ts';

const answering: SubAgent = { description: 'Does things.', run: async () => ({ conclusion: 'Done.' }) };

function check(options: object): void {
  requireTaskOptions({ store: memoryStore(), scope: 'chat-1', agents: { helper: answering }, ...options });
}

describe('options', () => {
  class Agent implements SubAgent {
    description = 'Does things.';
    more = 'another member';
    run = answering.run;
  }
  const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, answering]));

  test.each<[string, object]>([
    ['one agent', {}],
    ['50 agents', { agents: fifty }],
    ['an instance of a class', { agents: { helper: new Agent() } }],
    ['some allowed agents', { allowed: ['helper'] }],
    ['several listeners', { onTask: [() => {}, () => {}] }],
    ['a name of 64 characters', { agents: { ['x'.repeat(64)]: answering } }],
    ['a description of 1,000 characters', { agents: { helper: { ...answering, description: 'x'.repeat(1000) } } }],
  ])('may be %s', (_, options) => {
    expect(() => check(options)).not.toThrow();
  });

  test('have a description by which a model chooses, wherever it is', () => {
    expect(() => requireDescription({ description: ' ' })).toThrow('`description` must be a text');
    expect(() => requireDescription({ description: ' ' }, 'agents.x.')).toThrow('`agents.x.description`');
    expect(() => requireDescription({ description: 'x', useWhen: 'y', timeoutMs: 1 })).not.toThrow();
  });
});

describe('an invalid option is refused at once', () => {
  test.each([
    ['agents', { agents: {} }],
    ['agents', { agents: undefined }],
    ['agents', { agents: [answering] }],
    ['agents', { agents: { 'two words': answering } }],
    ['agents', { agents: { ['x'.repeat(65)]: answering } }],
    ['agents.helper.timeout', { agents: { helper: { ...answering, timeout: 5 } } }],
    ['agents.helper.useWhen', { agents: { helper: { ...answering, useWhen: '' } } }],
    ['agents.helper', { agents: { helper: null } }],
    ['agents.helper', { agents: { helper: { description: 'x' } } }],
    ['agents.helper.description', { agents: { helper: { ...answering, description: ' ' } } }],
    ['agents.helper.useWhen', { agents: { helper: { ...answering, useWhen: 7 } } }],
    ['allowed[0]', { allowed: ['nobody'] }],
    ['allowed', { allowed: 'helper' }],
    ['allowed', { allowed: [] }],
    ['allowed[1]', { allowed: ['helper', undefined] }],
    ['agents', { agents: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, answering])) }],
    ['agents.helper.description', { agents: { helper: { ...answering, description: 'x'.repeat(1001) } } }],
    ['agents.helper.timeoutMs', { agents: { helper: { ...answering, timeoutMs: 0 } } }],
    ['retentionDays', { retentionDays: 0 }],
    ['alowed', { alowed: ['helper'] }],
    ['scope', { scope: undefined }],
    ['store', { store: {} }],
    ['onTask', { onTask: 7 }],
  ])('%s', (option, options) => {
    expect(() => check(options)).toThrow(expect.objectContaining({ option }));
  });
});

test('an agent of the AI SDK is refused without `toSubAgent`, and the error names it', () => {
  const agent = new ToolLoopAgent({ model: actingModel(() => 'done') });
  expect(() => check({ agents: { helper: agent } })).toThrow(/toSubAgent\(helper, \{ description \}\)/);
});
