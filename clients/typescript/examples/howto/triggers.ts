// docs/howto/triggers.md
import { event, gt, type, workflow } from "../../src/index.js";

type Paid = { order: string; amount: number; address: { region: string } };
type Shipment = { order: string; region: string };

const shipments = workflow({ namespace: "guide", name: "shipments_ts", version: "1.0.0", input: type<Shipment>(), identity: "key" });

export const paid = event("paid_ts", type<Paid>()), withdrawn = event("withdrawn_ts", type<object>());
shipments.startOn(paid.when((p) => gt(p.amount, 0)), { context: (p) => ({ order: p.order, region: p.address.region }), identity: (p) => p.order });
shipments.cancelOn(withdrawn);

const pack = shipments.step("pack", (job) => `${job.input.order} to ${job.input.region}`);

export const shipment = shipments.returns(pack);
