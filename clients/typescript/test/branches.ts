// The template of internal/tests/conformance/testdata/branches.yaml. TestTypeScript_MakesTheTemplateOfYAML compares them.
import { ended, event, failed, firstOf, gt, type, workflow } from "../src/index.js";

type Delivery = { parcel: string; van: string };
type Paid = { order: string; cents: number };

const flow = workflow({ namespace: "branches", name: "branches", version: "1", input: type<Delivery>(), identity: "key", onFailure: "fail", onUndo: "drain" });
flow.startOn(event("paid", type<Paid>()).when((p) => gt(p.cents, 0)), { context: (p) => ({ parcel: p.order, van: "$5" }), identity: (p) => p.order });
flow.cancelOn(event("withdrawn", type<Paid>(), { key: "eu" }));
flow.cancelOn(event("lost", type<Paid>()), { identity: (p) => p.order });

const transfer = flow.step("transfer", { limits: [{ limit: "account", key: (d) => d.parcel, wholeRun: true }, { limit: "bank", units: 2 }] }, () => 1);
const charge = flow.step("charge", { limit: "stripe", limits: [{ limit: "tenant", key: (d) => d.van }], startWithin: 600 }, () => 2);
const book = flow.step("book", { after: firstOf([transfer, charge.when((n) => gt(n, 1))]) }, () => 3);
const alert = flow.step("alert", { after: failed(book, transfer) }, (_, failures) => failures.length);
flow.step("clean_up", { after: ended(book) }, (_, failures) => failures.length);
const boxing = workflow({ namespace: "branches", name: "boxing", version: "1", input: type<Delivery>(), identity: "new", onFailure: "fail" });
const pack = boxing.step("pack", (job) => `${job.input.parcel} is packed`);
const split = flow.step("split", (job) => [job.input, job.input]);
const parcels = flow.eachChild("parcels", boxing.returns(pack), { over: split.each(), maxParallel: 2, allowFailures: 1, timeout: 60 });
flow.step("tell", { after: parcels }, (_, packed: (string | null)[]) => packed);
flow.wait("approval", event("approved", type<Paid>(), { key: (d: Delivery) => d.parcel }), { after: failed(alert), timeout: 60, onTimeout: "skip" });

export const branches = flow;
export const dispatch = flow.returns(parcels);
