// docs/durable.md, docs/howto/loops.md and docs/howto/changing-functions.md
import { signal, type, workflow } from "../../src/index.js";

type Purchase = { number: number; amount: number };
export const bank = {
  charge: async (_amount: number, _key: string) => "receipt",
  refund: async (_amount: number, _key: string) => "refunded",
};
export const approved = signal("approved", type<{ ok: boolean }>());

const purchases = workflow({ namespace: "guide", name: "purchases_ts", version: "1.0.0", input: type<Purchase>(), identity: "new" });

export const fulfil = purchases.step("fulfil", async (job) => {
  const receipt = await job.once("charge", (key) => bank.charge(job.input.amount, key));

  const answer = await job.wait(approved, { timeout: "3d" });
  if (answer.by === "timeout" || !answer.payload.ok) { // not answered in time, or refused
    return job.once("refund", (key) => bank.refund(job.input.amount, key));
  }

  await job.sleep("1d");
  return receipt;
});

export const fulfilment = purchases.returns(fulfil);

const subscriptions = workflow({ namespace: "guide", name: "subscriptions_ts", version: "1.0.0", input: type<Purchase>(), identity: "new" });

export const subscription = subscriptions.step("subscription", async (job): Promise<number> => {
  const usage = (job.state as { month: number; total: number } | null) ?? { month: 0, total: 0 };

  await job.sleep("30d");
  await job.once("charge", (key) => bank.charge(job.input.amount, key));
  usage.month++;
  usage.total += job.input.amount;
  if (usage.month === 12) return usage.total;

  return job.continueAs(usage); // it does not return
});

export const subscribed = subscriptions.returns(subscription);

const checks = workflow({ namespace: "guide", name: "checks_ts", version: "1.0.0", input: type<Purchase>(), identity: "new" });

export const changed = checks.step("changed", async (job) => {
  if (await job.changed("check-fraud")) {
    await job.once("fraud", () => true);
  }
  return job.once("charge", (key) => bank.charge(job.input.amount, key));
});

export const checked = checks.returns(changed);
