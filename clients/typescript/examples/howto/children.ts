// docs/howto/children.md
import { type, workflow } from "../../src/index.js";

type Parcel = { order: number; lines: number[]; express: boolean };

const parcels = workflow({ namespace: "guide", name: "parcels_ts", version: "1.0.0", input: type<Parcel>(), identity: "new", onFailure: "fail" });
const label = parcels.step("label", (job) => ({ weight: 10 * job.input.lines.length }));
export const parcel = parcels.returns(label);

export const purchases = workflow({ namespace: "guide", name: "shipped_purchases_ts", version: "1.0.0", input: type<{ order: number }>() });
const pick = purchases.step("pick", () => ({ lines: [1, 2] }));
const ship = purchases.child("ship", parcel, {
  after: pick,
  context: (purchase, picked) => ({ order: purchase.order, lines: picked.lines, express: true }),
});
const bill = purchases.step("bill", { after: ship }, (_, { weight }) => 5 * weight);
export const purchase = purchases.returns(bill);
