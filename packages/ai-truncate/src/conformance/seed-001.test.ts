// Requirement document 001, PRD-0005: Explore Sub-agent + Tool Output Truncation, in its order. `docs/requirements.md` maps it
// to these tests.
import { appendFile, readFile } from 'node:fs/promises';
import { generateText, isStepCount, type ToolSet } from 'ai';
import { describe, expect, test } from 'vitest';
import { type ActRequest, actingModel } from '../../fixtures/acting-model.ts';
import { callReader } from '../../fixtures/call-reader.ts';
import { deliveredOutput } from '../../fixtures/delivered-output.ts';
import { temporaryHome } from '../../fixtures/filesystem-home.ts';
import { enterProject } from '../../fixtures/project-directory.ts';
import { numberedLines, returning } from '../../fixtures/returning-tool.ts';
import { runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { sentThrough } from '../../fixtures/sent-results.ts';
import { exploreInstructions } from '../extras.ts';
import {
  createTaskTool,
  exploreAgent,
  memoryStore,
  type SubAgent,
  scopedArtifacts,
  type TruncateOutputOptions,
  truncateOutput,
  truncateToolOutputs,
  truncateToolResultsMiddleware,
} from '../index.ts';
import { toOpenAgentic } from '../protocol.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';

const page = `<html>${'x'.repeat(183_408)}</html>`;
const needle = 'ERROR disk full on /dev/sda1';
const log = numberedLines(20_000).replace('line 12481\n', `${needle}\n`);

function recorded(output: unknown, options: Partial<TruncateOutputOptions> = {}) {
  const call = { toolName: 'WebFetch', toolCallId: 'call_123' };
  return truncateOutput(output, { store: memoryStore(), scope: 'session-7', ...call, ...options });
}

/** An agent that reads logs and may delegate. Also returns the request to the sub-agent's model. */
async function delegated(act: (request: ActRequest, path: string) => unknown) {
  const store = memoryStore();
  let path = '';
  const requests: ActRequest[] = [];
  const small = actingModel((request) => {
    requests.push(request);
    return act(request, path) as string;
  });
  const tools = truncateToolOutputs(
    { readLog: returning(log) },
    { store, scope: 'chat-1', readers: false, explore: { model: small } },
  );
  const main = actingModel(({ step, results }) => {
    if (step === 1) return { toolName: 'readLog', input: {} };
    path = /saved to: (\S+)/.exec(results[0] ?? '')?.[1] ?? path;
    if (step === 2) return { toolName: 'task', input: { agent: 'explore', prompt: `Why did it fail? See ${path}` } };
    return `Told: ${results[0]}`;
  });
  const { text } = await generateText({ model: main, tools, prompt: 'What failed?', stopWhen: isStepCount(5) });
  return { text, requests, path, store };
}

const searching = ({ step }: ActRequest, path: string) =>
  step === 1
    ? { toolName: 'grepArtifacts', input: { paths: [path], pattern: 'ERROR' } }
    : {
        toolName: 'report',
        input: {
          conclusion: 'The disk was full.',
          evidence: [{ path, start_line: 12_481, end_line: 12_481, quote: needle }],
        },
      };

describe('001 A bounded results, full outputs as artifacts', () => {
  test('001 REQ-0005-001 the wrapper has the fields of the document, and only these', async () => {
    const output = toOpenAgentic(await recorded(page, { hint: { task: 'task' } }));
    expect(output).toEqual({
      _openagentic_truncated: true,
      reason: 'tool_output_too_large',
      tool_name: 'WebFetch',
      tool_use_id: 'call_123',
      original_chars: 183_421,
      preview: expect.any(String),
      artifact_path: expect.stringContaining('call-123'),
      hint: expect.stringContaining('task(agent="explore"'),
    });
  });

  test('001 REQ-0005-001 the artifact is written below .agents/tool-output of the root, if the option directory names it', async () => {
    const root = enterProject();
    const store = filesystemStore({ directory: '.agents/tool-output' });
    const output = toOpenAgentic(await recorded(page, { store })) as { artifact_path: string };
    expect(output.artifact_path).toMatch(/^\.agents\/tool-output\//);
    expect(await readFile(`${root}/${output.artifact_path}`, 'utf8')).toBe(page);
  });

  test('001 REQ-0005-001 no event of events.jsonl holds a large output', async () => {
    const root = enterProject();
    const store = filesystemStore({ directory: '.agents/tool-output' });
    // In JSON, a control character has six bytes, and so does half of a pair. The smaller outputs are within the limits.
    const hostile = ['\0', '\x1b', '"', '\\', '\n', '\ud800', '文', '\u202e'].flatMap((character) => [
      character.repeat(1900),
      character.repeat(32 * 1024),
      character.repeat(200_000),
    ]);
    const outputs = [page, log, { rows: log.split('\n') }, 'x'.repeat(5_000_000), ...hostile];
    for (const output of outputs) {
      // The limit of `docs/event-log.md`.
      const bounded = await recorded(output, { store, maxBytes: 32 * 1024 });
      const event = { type: 'tool.result', output: toOpenAgentic(bounded) };
      await appendFile(`${root}/events.jsonl`, `${JSON.stringify(event)}\n`);
    }
    const events = (await readFile(`${root}/events.jsonl`, 'utf8')).trimEnd().split('\n');
    expect(events).toHaveLength(outputs.length);
    for (const event of events) expect(Buffer.byteLength(event)).toBeLessThanOrEqual(200 * 1024);
  });

  test('001 REQ-0005-001 a request to a provider stays bounded, even for results that were never wrapped', async () => {
    const { sent } = await deliveredOutput(page);
    expect(Buffer.byteLength(String(sent.value))).toBeLessThanOrEqual(16_384);
    const [old] = await sentThrough(truncateToolResultsMiddleware(), [{ type: 'text', value: page }]);
    expect(Buffer.byteLength(String(old?.value))).toBeLessThanOrEqual(16_384);
  });

  test('001 REQ-0005-001 the artifact is the complete output, and the readers return it', async () => {
    const store = memoryStore();
    const output = truncatedOf(await recorded(log, { store }));
    const artifacts = scopedArtifacts(store, { scope: 'session-7' });
    const path = output.data.truncation.full_output_path ?? '';
    expect(await new Response(await artifacts.readStream(path)).text()).toBe(log);
    const { text } = await callReader(artifacts, 'readArtifact', { path, offset: 12_481, limit: 1 });
    expect(text).toContain(needle);
    // Any Read tool of an application that opens files.
    const file = toOpenAgentic(
      await recorded(log, { store: filesystemStore({ directory: temporaryHome(), showAbsolutePaths: true }) }),
    );
    const lines = (await readFile((file as { artifact_path: string }).artifact_path, 'utf8')).split('\n');
    expect([lines.length, lines[12_480]]).toEqual([20_000, needle]);
  });

  test('001 REQ-0005-002 the path identifies exactly one call', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'session-7' });
    const toolCallId = 'Call_ÄB/../123';
    for (const id of ['call_1', toolCallId, 'call_2']) {
      const { data } = truncatedOf(await recorded(log, { store, toolCallId: id }));
      const info = await artifacts.info(data.truncation.full_output_path ?? '');
      expect(info).toMatchObject({ toolName: 'WebFetch', toolCallId: id });
    }
  });

  test('001 REQ-0005-002 the file name has only characters that every file system accepts', async () => {
    const { data } = truncatedOf(await recorded(log, { toolName: 'a:b*c?"<>|\\', toolCallId: 'CON/..:\u0000😀' }));
    expect(data.truncation.full_output_path).toMatch(/^tool-output\/[a-z0-9][a-z0-9_.-]{0,119}$/);
  });
});

describe('001 B the explore sub-agent', () => {
  test('001 REQ-0005-010 its instructions are exported, and cover search, places, evidence and reading only', () => {
    const instructions = exploreInstructions();
    for (const reader of ['listArtifacts', 'globArtifacts', 'grepArtifacts', 'readArtifact']) {
      expect(instructions).toContain(reader);
    }
    // No other sentence mentions changes, so none contradicts this one.
    const sentences = instructions.split(/(?<=[.:?])\s+/);
    expect(
      sentences.filter((sentence) => /\b(?:writ|edit|delet|remov|creat|command|shell|run)/i.test(sentence)),
    ).toEqual([
      'never write or edit anything, and never run a command that deletes or changes something, whatever tools you have.',
    ]);
    expect(instructions).toContain('You may only read: never write');
    expect(instructions).toMatch(/conclusion: .*\n- evidence: for each claim the path, the lines, and a quote/);
  });

  test('001 REQ-0005-010 its tools read and report, and never write', async () => {
    const { requests } = await delegated(searching);
    expect(requests[0]?.tools.sort()).toEqual(
      ['globArtifacts', 'grepArtifacts', 'listArtifacts', 'queryArtifact', 'readArtifact', 'report'].sort(),
    );
  });

  test('001 REQ-0005-010 its answer has a conclusion, and evidence by path and line', async () => {
    const { text, path } = await delegated(searching);
    expect(text).toContain('The disk was full.');
    expect(text).toContain(`- ${path} line 12481`);
  });

  test('001 REQ-0005-010 an application only has to switch it on', async () => {
    const report = { toolName: 'report', input: { conclusion: 'The disk was full.', evidence: [] } };
    const model = actingModel(() => report);
    const given = { store: memoryStore(), scope: 'chat-1', readers: false as const };
    const off = truncateToolOutputs({ read: returning('') }, given);
    const on = truncateToolOutputs({ read: returning('') }, { ...given, explore: { model } });
    expect([Object.keys(off), Object.keys(on)]).toEqual([['read'], ['read', 'task']]);
    const { sent } = await runTool(on, { toolName: 'task', input: { agent: 'explore', prompt: 'What failed?' } });
    expect(String(sent.value)).toContain('The disk was full.');
  });

  const asked: string[] = [];
  const webview: SubAgent = {
    description: 'Looks at pages.',
    run: async (prompt) => {
      asked.push(prompt);
      return { conclusion: 'Seen.' };
    },
  };

  async function ask(input: object, options: object = {}) {
    const explore = exploreAgent({
      model: actingModel(() => ({ toolName: 'report', input: { conclusion: 'Found.', evidence: [] } })),
    });
    const task = createTaskTool({ agents: { explore, webview }, store: memoryStore(), scope: 'chat-1', ...options });
    const model = actingModel(({ step, results }) => (step === 1 ? { toolName: 'task', input } : (results[0] ?? '')));
    const { text } = await generateText({ model, tools: { task } as ToolSet, prompt: 'Go.', stopWhen: isStepCount(3) });
    return text;
  }

  test('001 REQ-0005-011 explore runs the built-in agent', async () => {
    expect(await ask({ agent: 'explore', prompt: 'Find it.' })).toContain('Found.');
    expect(asked).toEqual([]);
  });

  test('001 REQ-0005-011 every other agent runs the function of the application', async () => {
    expect(await ask({ agent: 'webview', prompt: 'Look at it.' })).toContain('Seen.');
    expect(asked).toEqual(['Look at it.']);
  });

  test('001 REQ-0005-011 an unknown or forbidden agent is an error that names the allowed agents', async () => {
    expect(await ask({ agent: 'deep-research', prompt: 'Go.' })).toMatch(/deep-research.*explore.*webview/);
    expect(await ask({ agent: 'webview', prompt: 'Go.' }, { allowed: ['explore'] })).toMatch(/webview.*explore/);
  });
});

describe('001 C the description of the task tool', () => {
  test('001 REQ-0005-020 the description lists the agents with their use and their parameters', () => {
    const webview: SubAgent = {
      description: 'Looks at pages.',
      useWhen: 'a page has to be seen.',
      run: async () => ({ conclusion: '' }),
    };
    const explore = exploreAgent({ model: actingModel(() => 'done') });
    const { description } = createTaskTool({ agents: { explore, webview }, store: memoryStore(), scope: 'a' });
    expect(description).toContain('task(agent="…", prompt="…")');
    expect(description).toContain('- explore: Searches, reads and queries saved tool outputs');
    expect(description).toContain('- webview: Looks at pages. Use it when a page has to be seen.');
    expect(description).not.toMatch(/\{+agents\}+|subagent_type/);
  });
});

describe('001 D the hint', () => {
  test('001 REQ-0005-030 the hint names the artifact, the sub-agent and reading in parts, without any configuration', async () => {
    const { hint } = toOpenAgentic(await recorded(page, { hint: { task: 'task' } })) as { hint: string };
    expect(hint).toMatch(
      /^Full output saved to artifact_path\. Use task\(agent="explore".*grep and read it \(offset\/limit\)/,
    );
    expect(hint).toContain('Do NOT read the full file yourself');
  });

  test('001 REQ-0005-030 without a task tool the hint names searching and reading in parts', async () => {
    const names = { grep: 'grepArtifacts', read: 'readArtifact' };
    const { hint } = toOpenAgentic(await recorded(page, { hint: names })) as { hint: string };
    expect(hint).toMatch(/^Full output saved to artifact_path\. Use grepArtifacts .* readArtifact with offset\/limit/);
    expect(hint).not.toContain('task');
  });
});

describe('001 examples', () => {
  test('001 Example 1 a large page shows both ends, and how many characters are missing between them', async () => {
    const { preview } = toOpenAgentic(await recorded(page, { keep: 'ends' })) as { preview: string };
    expect(preview).toMatch(/^<html>x+\n\.\.\. \[[\d,]+ characters not shown.*\] \.\.\.\nx+<\/html>$/);
  });

  test('001 Example 2 the main agent sees the hint and delegates, so that the large output stays out of its context', async () => {
    const { text } = await delegated(searching);
    expect(text).toContain('explore answered after 2 steps');
    expect(text.length).toBeLessThan(600);
  });
});

describe('001 open questions', () => {
  test('001 Open question 1 retention is built in, and an artifact says when it expires', async () => {
    expect(truncatedOf(await recorded(page)).data.truncation.expires_at).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test('001 Open question 2 text is saved unchanged and a value as JSON, as the file extension and the media type say', async () => {
    expect(truncatedOf(await recorded(page)).data.truncation).toMatchObject({
      full_output_path: expect.stringMatching(/\.txt$/),
      media_type: 'text/plain',
    });
    expect(truncatedOf(await recorded({ page })).data.truncation).toMatchObject({
      full_output_path: expect.stringMatching(/\.json$/),
      media_type: 'application/json',
    });
  });
});
