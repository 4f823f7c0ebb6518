import { expect, test } from 'vitest';
import type { Condition, QueryCondition } from './condition.ts';
import type { Operator } from './operators.ts';
import {
  aggregateAdvice,
  argumentTexts,
  endOfSortedText,
  incomparableText,
  noPartText,
  queryNotes,
  unknownFieldText,
  wrongTypeText,
} from './query-words.ts';

test('each text about a wrong argument', () => {
  const texts: Record<keyof typeof argumentTexts, string> = {
    ...argumentTexts,
    tooMany: argumentTexts.tooMany('where', 16),
    noWholeNumber: argumentTexts.noWholeNumber('limit', 1),
    noFieldName: argumentTexts.noFieldName('sort', 16),
    unknownWord: argumentTexts.unknownWord('operator', { given: 'like', words: ['eq', 'contains'] }),
    wrongValue: argumentTexts.wrongValue('in', 'a list'),
    inexact: argumentTexts.inexact(2 ** 60),
    wrongPart: argumentTexts.wrongPart('where', ['field', 'op', 'value']),
    tooManyElsewhere: argumentTexts.tooManyElsewhere('tool-output/a.json', { max: 10_000, unit: 'values' }),
    selectInGroups: argumentTexts.selectInGroups('name', ['region', 'count']),
  };
  expect(texts).toMatchInlineSnapshot(`
    {
      "elsewhere": "For values of another output, \`value\` must be { path, field, where }, and \`where\` must not refer to another output.",
      "inexact": "\`value\` is an integer beyond 2^53, which a number cannot represent exactly. Send it as text, such as "1152921504606846976".",
      "noFieldName": "\`sort\` needs the name of a field: a short text of at most 16 keys with dots between them.",
      "noMatcher": "The operator matches is not available here. Use contains or startsWith.",
      "noWholeNumber": "\`limit\` must be a whole number of at least 1.",
      "selectInGroups": "Groups have no column "name". Their columns are "region", "count".",
      "tooMany": "\`where\` can have at most 16 parts.",
      "tooManyElsewhere": ""tool-output/a.json" has more than 10,000 values to compare with. Narrow the \`where\` of \`value\`.",
      "unknownWord": "There is no operator "like". The operators are eq, contains.",
      "wrongPart": "Each part of \`where\` must be an object with field, op, value.",
      "wrongValue": "For the operator in, \`value\` must be a list.",
    }
  `);
});

const condition = (field: string, op: Operator, value: string | number): QueryCondition => ({ field, op, value });

test('each text about a question without an answer', () => {
  const asked = (example: unknown) => ({ condition: condition('placed', 'gt', '2015-06-01'), example }) as Condition;
  expect({
    endOfSorted: endOfSortedText(10_000),
    unknownField: [unknownFieldText('regoin', 'region'), unknownFieldText('x', undefined)],
    noPart: [noPartText('placed.year', ['Jun 12 1998']), noPartText('total.length', [])],
    aggregate: [aggregateAdvice({ op: 'count', field: undefined }), aggregateAdvice({ op: 'avg', field: 'total' })],
    incomparable: [
      incomparableText(asked(1433116800000), [1433116800000, 7, 'soon']),
      incomparableText(asked('Monday, 1 June 2015'), []),
    ],
    wrongType: [
      wrongTypeText({ name: 'sum_total', op: 'sum', skipped: 3, skippedExample: 'n/a' }),
      wrongTypeText({ name: 'max_total', op: 'max', skipped: 3, skippedExample: { amount: 7 } }),
    ],
  }).toMatchInlineSnapshot(`
    {
      "aggregate": [
        "To compute it, use \`aggregate\`: [{"op":"count"}].",
        "To compute it, use \`aggregate\`: [{"op":"avg","field":"total"}].",
      ],
      "endOfSorted": "Only the first 10,000 sorted rows can be read. To reach later rows, narrow the question with \`where\`.",
      "incomparable": [
        ""placed" cannot be compared by gt with "2015-06-01": its type is number, such as 1433116800000, 7. In milliseconds since 1970, this date is 1433116800000.",
        ""placed" cannot be compared by gt with "2015-06-01": its type is text date, such as "Monday, 1 June 2015". Dates in this notation have no order. Find a year or a month with contains, or one date exactly as it is written.",
      ],
      "noPart": [
        "The values of "placed" have no .year, such as "Jun 12 1998". Only ISO dates have a year; to find a year in a text, use contains.",
        "The values of "total" have no .length. Texts and lists have a length.",
      ],
      "unknownField": [
        "No record has the field "regoin". Did you mean "region"?",
        "No record has the field "x".",
      ],
      "wrongType": [
        "sum_total needs numbers; the field has values such as "n/a".",
        "max_total needs numbers, dates or text; the field has values such as {"amount":7}.",
      ],
    }
  `);
});

test('each note about an answer', () => {
  const skipping = { name: 'sum_total', op: 'sum', skipped: 1200, skippedExample: 'n/a' };
  const compared = (op: Operator) =>
    ({ condition: condition('total', op, 100), example: 'n/a', incomparable: 1200 }) as Condition;
  const lacking = (op: Operator, nulls: number) =>
    ({ condition: condition('total', op, 100), lacking: 12, nulls }) as Condition;
  const asksNull = { condition: { field: 'total', op: 'eq', value: null }, lacking: 12, nulls: 3 } as Condition;
  const notes: Record<keyof typeof queryNotes, string | string[]> = {
    ...queryNotes,
    someIncomparable: [queryNotes.someIncomparable(compared('gt')), queryNotes.someIncomparable(compared('ne'))],
    someSkipped: queryNotes.someSkipped(skipping),
    cutTexts: queryNotes.cutTexts('body', { count: 1200, chars: 10_000 }),
    tooManyGroups: queryNotes.tooManyGroups(10_000, 1200),
    noMatch: [queryNotes.noMatch([]), queryNotes.noMatch([{ name: 'region', examples: ['North', 'South'] }])],
    datesByLetters: queryNotes.datesByLetters('placed', '1 June 2015'),
    dayIsMoment: ['2015-06-01', '2015-06', '2015'].map(queryNotes.dayIsMoment),
    lacking: [lacking('gt', 0), lacking('ne', 3), asksNull].map((each) => queryNotes.lacking(each, 968)),
    leavesOut: [0, 3].map((nulls) => queryNotes.leavesOut({ field: 'total', lacking: 12, nulls }, 58)),
    missingGroup: queryNotes.missingGroup('region', 12),
    unsorted: queryNotes.unsorted('total', 12),
    cutLists: queryNotes.cutLists('tags', 20_000),
    estimated: queryNotes.estimated('median(total)'),
  };
  expect(notes).toMatchInlineSnapshot(`
    {
      "anyItem": "A condition on a list holds if any item matches, and each condition may hold for a different item. To test item by item, name the list in \`at\`.",
      "cutLists": "Only the first 20,000 items of each list in "tags" were tested. To test all items, name the list in \`at\`.",
      "cutTexts": "Only the first 10,000 characters of 1,200 values of "body" were tested.",
      "datesByLetters": ""placed" has dates that are not ISO, such as "1 June 2015". They are ordered by their letters, not by time.",
      "dayIsMoment": [
        "A day means its first moment: "2015-06-01" is 00:00 UTC on that day. For the whole day, use gte with it and lt with the next day.",
        "A month means its first moment: "2015-06" is 00:00 UTC on its first day. For the whole month, use gte with it and lt with the next month.",
        "A year means its first moment: "2015" is 00:00 UTC on its first day. For the whole year, use gte with it and lt with the next year.",
      ],
      "deadline": "The time limit was reached before all records were read, so the answer covers only part of them.",
      "estimated": "median(total) is an estimate within 1 %, because there are too many numbers for an exact median.",
      "lacking": [
        "12 of 968 records lack "total" and did not match.",
        "12 of 968 records lack "total" and do not count as different; in 3 it is null.",
        "12 of 968 records lack "total". To find them, use exists with value false instead of null.",
      ],
      "leavesOut": [
        "12 of the 58 matching records lack "total".",
        "12 of the 58 matching records lack "total", and in 3 it is null.",
      ],
      "missingGroup": "12 records without "region" are in the group "(missing)".",
      "noMatch": [
        "No record matched. Text is compared case-sensitively.",
        "No record matched. Text is compared case-sensitively. Values that exist: "region" e.g. "North", "South".",
      ],
      "noRecords": "There are no records.",
      "someIncomparable": [
        "1,200 values of "total", such as "n/a", cannot be compared by gt with 100 and did not match.",
        "1,200 values of "total", such as "n/a", cannot be compared by ne with 100 and counted as different.",
      ],
      "someSkipped": "sum_total leaves out 1,200 values of another type, such as "n/a".",
      "tooManyDistinct": "There are too many different values to count, so distinct is a lower bound.",
      "tooManyGroups": "There is room for only 10,000 groups, so 1,200 records of other groups are not in the answer. Use coarser groups, or narrow the question with \`where\`.",
      "tooManyMedians": "There are too many numbers in too many groups, so the medians leave some out.",
      "unsorted": "12 records without "total" come last.",
      "wholeItems": "In a list, contains finds whole items. To find a part of an item, use matches.",
    }
  `);
});

test('a long value is cut', () => {
  expect(unknownFieldText('f'.repeat(100), undefined)).toContain(`${'f'.repeat(59)}…`);
});
