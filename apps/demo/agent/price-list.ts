/** What a country pays for shipping, in euros: `fee`, and nothing from an order of `freeFrom` on. */
export interface ShippingRule {
  freeFrom: number;
  fee: number;
}

/** What the shop promises its customers. The tests hold the configuration of the shop against it. */
export const priceList: Readonly<Record<string, ShippingRule>> = Object.fromEntries(
  [
    ['AT', 40, 3.9],
    ['BE', 40, 3.9],
    ['BG', 60, 5.9],
    ['CY', 80, 7.9],
    ['CZ', 40, 4.5],
    ['DE', 40, 3.9],
    ['DK', 50, 4.9],
    ['EE', 60, 5.9],
    ['ES', 50, 4.9],
    ['FI', 60, 5.9],
    ['FR', 50, 4.9],
    ['GR', 70, 6.9],
    ['HR', 60, 5.9],
    ['HU', 50, 4.9],
    ['IE', 60, 5.9],
    ['IT', 50, 4.9],
    ['LT', 60, 5.9],
    ['LU', 40, 3.9],
    ['LV', 60, 5.9],
    ['MT', 80, 7.9],
    ['NL', 40, 3.9],
    ['NO', 70, 8.9],
    ['PL', 40, 4.5],
    ['PT', 50, 4.9],
    ['RO', 60, 5.9],
    ['SE', 60, 5.9],
    ['SI', 50, 4.9],
    ['SK', 40, 4.5],
  ].map(([country, freeFrom, fee]) => [country, { freeFrom, fee }]),
);
