// docs/howto/pause-and-change.md
import { type TaskHandle, type, workflow } from "../../src/index.js";

type Refund = { amount: number };

const refunds = workflow({ namespace: "guide", name: "refunds_paused_ts", version: "1.0.0", input: type<Refund>(), identity: "new" });
const pay = refunds.step("pay", (job) => job.input.amount);
export const paid = refunds.returns(pay);

export async function lower(task: TaskHandle<Refund, number>, refund: Refund) {
  await task.pause("the bank is closed");
  const changed = await task.change({ input: { amount: refund.amount - 10 }, reason: "ten were paid before" });
  return (await task.resume("it is open again")) && changed;
}
