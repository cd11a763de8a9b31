// docs/howto/waiting.md
import { type Caller, eq, gte, signal, type, workflow } from "../../src/index.js";

export const approved = signal("approved", type<{ ok: boolean; note?: string }>());
export const paid = signal("paid", type<{ amount: number }>());
export const waived = signal("waived", type<{ by: string }>());

export const orders = workflow({ namespace: "guide", name: "orders_ts", version: "1.0.0", input: type<{ number: string }>(), identity: "key" });

const approve = orders.wait("approve", approved, { timeout: "3d", onTimeout: "skip", assignee: "finance" });
const accepted = approve.when((a) => eq(a.payload.ok, true));
const settle = orders.wait("settle", [paid.when((p) => gte(p.amount, 100)), waived, "2w"], { after: accepted });

const ship = orders.step("ship", { after: settle }, (_, answer) => {
  if (answer.by === "for") return "two weeks have passed";
  return answer.name === "waived" ? `waived by ${answer.payload.by}` : `paid ${answer.payload.amount}`;
});

export const order = orders.returns(ship);

export async function place(on: Caller, number: string) {
  const task = await order.start(on, { number }, { key: number });
  await task.send(approved, { ok: true }); // checked by its type; a repeat of the request counts once
  return task;
}
