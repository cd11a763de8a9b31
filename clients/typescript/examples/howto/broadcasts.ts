// docs/howto/broadcasts.md
import { type Caller, event, gt, signal, type, workflow } from "../../src/index.js";

type Trade = { market: string; order: number };
export const trades = workflow({ namespace: "guide", name: "trades_ts", version: "1.0.0", input: type<Trade>(), identity: "key" });

export const marketOpen = event("market_open", type<{ at: string }>(), { key: (trade: Trade) => trade.market });
export const filled = event("filled", type<{ amount: number }>(), { key: (trade: Trade) => trade.order, lookBack: "1h" });
export const withdrawn = signal("withdrawn", type<{ by: string }>());

const opened = trades.wait("open", marketOpen, { timeout: "1d" });
const over = trades.wait("filled", [filled.when((f) => gt(f.amount, 0)), withdrawn, "8h"], { after: opened });

const book = trades.step("book", { after: over }, (_, answer) => {
  if (answer.by === "for") return "nothing came in eight hours";
  return answer.by === "event" ? `${answer.payload.amount} filled` : `withdrawn by ${answer.payload.by}`;
});

export const trade = trades.returns(book);

export async function openMarket(on: Caller, market: string, day: string): Promise<boolean> {
  return trade.emit(on, marketOpen, { at: "09:00" }, { key: market, idempotencyKey: `open-${market}-${day}` });
}

export async function withdraw(on: Caller, number: string, by: string): Promise<string> {
  return trade.sendByKey(on, number, withdrawn, { by }, { idempotencyKey: `withdraw-${number}` });
}

export async function place(on: Caller, number: string, given: Trade) {
  // Requests for the same trade within two seconds start one task: the last one.
  return trade.start(on, given, { key: number, policy: { debounce: "2s", debounceLongest: "1m" } });
}
