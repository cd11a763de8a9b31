// docs/howto/fan-out.md
import { Permanent, type, workflow } from "../../src/index.js";

type Basket = { lines: { sku: string }[] };
const prices: Record<string, number> = { a: 200, b: 300, anvil: 900 };

export const baskets = workflow({ namespace: "guide", name: "baskets_ts", version: "1.0.0", input: type<Basket>(), identity: "new" });

export const price = baskets.map("price", { over: baskets.each((basket) => basket.lines) }, (_, line) => prices[line.sku] ?? 0);

export const total = baskets.step("total", { after: price }, (job, cents) => ({
  cents: cents.reduce((sum, one) => sum + one, 0), // in the order of the lines
  parcels: job.input.lines.map((line) => line.sku),
}));

const parcels = { over: total.each((t) => t.parcels), maxParallel: 10, allowFailures: 1 };
export const ship = baskets.map("ship", parcels, (job, parcel) => {
  if (parcel === "anvil") throw new Permanent("too heavy");
  return `parcel ${job.index}: ${parcel}`;
});

const report = baskets.step("report", { after: ship }, (_, shipped) => shipped.filter((parcel) => parcel !== null).length);

export const basket = baskets.returns(report);
