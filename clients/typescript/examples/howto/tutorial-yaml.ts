// docs/tutorial-yaml.md
import { existsSync } from "node:fs";

import { Permanent, type Worker } from "../../src/index.js";

type Order = { number: number; customer: string; cents: number };

export function handle(worker: Worker): void {
  worker.handler<Order>("reserve", (job) => ({ Shelf: `shelf ${job.input.number % 10}` }));
  worker.handler<Order>("charge", (job) => {
    if (job.input.cents <= 0) throw new Permanent("nothing to pay"); // not tried again
    if (existsSync("bank-is-closed")) throw new Error("the bank is closed"); // tried again, as the template says
    return { Receipt: `for step ${job.stepUUID}` };
  });
  worker.handler<Order>("pack", async (job) => ({
    Label: `${job.input.customer}, from ${(await job.result<{ Shelf: string }>("reserve")).Shelf}`,
  }));
  worker.handler<Order>("ship", async (job) => "sent to " + (await job.result<{ Label: string }>("pack")).Label);
}
