import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { JsonPieces } from './json-pieces.ts';
import { RecordSurvey } from './record-survey.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a thousand lists of texts, any of which may name the cells of rows, take little memory', () => {
  const text = new JsonPieces();
  const survey = new RecordSurvey(text, { at: undefined });
  const list = JSON.stringify(Array.from({ length: 1000 }, (_, index) => String(index).padEnd(60, '.')));
  const read = (piece: string) => {
    text.append(piece);
    survey.read();
  };
  read('{"columns":["name","price"],"rows":[["tea",3],["milk",1]]');
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 1000; index++) read(`,"list${index}":${list}`);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000);
  read('}');
  survey.finish();
  expect(survey.choose()).toMatchObject({ status: 'found', place: { at: ['rows'], names: ['name', 'price'] } });
});
