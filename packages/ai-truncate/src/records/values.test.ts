import { describe, expect, test } from 'vitest';
import { kindOf } from '../query/compare-values.ts';
import { dateNotation, isTextDate } from './values.ts';

describe('a date that is not ISO', () => {
  test.each([
    'Jun 12 1998',
    'June 12, 1998',
    'jun. 5th 2015',
    '12 June 1998',
    '12-Jun-98',
    '1. Sept 2015',
    'Sep 2010',
    'Fri, 12 Jun 1998 10:00:00 GMT',
    'Fri Jun 12 10:00:00 1998',
    '12/Jun/1998:10:00:00 +0000',
    '06/01/2015',
    '6/1/2015 4:30 PM',
    '1.6.2015',
    '31-12-2015',
    '12/31/99',
    '2015/6/1',
    '2015.06.01',
  ])('is recognized: %s', (text) => {
    expect(isTextDate(text)).toBe(true);
    expect(kindOf(text)).toBe('text date');
  });

  test.each([
    'March of the Penguins',
    'May',
    'The 12 Monkeys',
    '1.2.3',
    '10.0.0.1',
    '192.168.10.2015',
    '13/14/2015',
    '0/1/2015',
    '12-34-5678',
    '10:30:00',
    '555-12-3456',
    'v2015.1',
    '2015/30/40',
    'Mayor 12 1998x',
    'December',
    '1/2',
  ])('is not a text that only looks like a date: %s', (text) => {
    expect(isTextDate(text)).toBe(false);
  });

  test.each(['2015-06-01', '2015/06/01', '2015/06/01 10:00', '2015-06', '20150601'])('is not %s', (text) => {
    expect(kindOf(text)).not.toBe('text date');
  });

  test('is fast on long texts', () => {
    const start = process.cpuUsage();
    for (let index = 0; index < 100_000; index++) isTextDate('jan jan jan jan jan jan jan jan jan 19');
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
  });

  test('can equal a date in the same notation', () => {
    expect(dateNotation('Jun 12 1998')).toBe(dateNotation('August 1 2015'));
    expect(dateNotation('May 19 1999')).toBe(dateNotation('Jun 12 1998'));
    expect(dateNotation('06/01/2015')).not.toBe(dateNotation('Jun 12 1998'));
    expect(dateNotation('2015/6/1')).not.toBe(dateNotation('6/1/2015'));
  });
});
