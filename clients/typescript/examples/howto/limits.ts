// docs/howto/limits.md and docs/howto/priorities.md
import { type, workflow } from "../../src/index.js";

type Bill = { customer: string; cents: number };

export const bills = workflow({ namespace: "guide", name: "bills_ts", version: "1.0.0", input: type<Bill>(), identity: "new" });

const charge = bills.step("charge", { limit: "stripe" }, (job) => job.input.cents);

const tenant = { after: charge, limit: "tenant", limitKey: (bill: Bill) => bill.customer, priority: 5 };
const report = bills.step("report", tenant, (job, cents) => `${job.input.customer}: ${cents}`);

export const bill = bills.returns(report);

export const transfers = workflow({ namespace: "guide", name: "transfers_ts", version: "1.0.0", input: type<{ account: string }>(), identity: "new" });

const transfer = transfers.step("transfer", {
  limits: [{ limit: "account", key: (t) => t.account, wholeRun: true }, { limit: "bank", units: 2 }],
}, (job) => job.input.account);

export const transferred = transfers.returns(transfer);

export const exporting = workflow({ namespace: "guide", name: "exports_ts", version: "1.0.0", input: type<{ customer: string; places?: number }>(), identity: "new" });

const exported = exporting.step("export", {
  limits: [{ limit: "exports", key: (e) => e.customer, bound: (e) => e.places, boundMax: 50 }],
}, (job) => job.input.customer);

export const exportOf = exporting.returns(exported);
