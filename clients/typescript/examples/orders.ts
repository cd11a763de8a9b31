/**
 * The tutorial's order workflow: reserve, then charge and pack at the same time, then ship. An operator's token registers it
 * once: new Client(url, token).registerTemplate(template).
 *
 *     TASKER_URL=http://127.0.0.1:8480 TASKER_TOKEN=tasker_… node build/examples/orders.js              # works until it is interrupted
 *     TASKER_URL=http://127.0.0.1:8480 TASKER_TOKEN=tasker_… node build/examples/orders.js 1 ann 1200   # places an order
 */
import { pathToFileURL } from "node:url";

import { Client, Job, Permanent, Worker, type WorkerOptions } from "../src/index.js";

export const template = {
  namespace: "shop",
  name: "order",
  version: "1.0.0",
  identity_strategy: "caller_provided",
  steps: [
    { name: "reserve" },
    { name: "charge", dependencies: ["reserve"], retry: { max_attempts: 3, base_seconds: 0.1 } },
    { name: "pack", dependencies: ["reserve"] },
    { name: "ship", dependencies: ["charge", "pack"] },
  ],
};

export interface Order {
  number: number;
  customer: string;
  cents: number;
}

interface Receipt {
  number: string;
  cents: number;
}

/** order refuses a context that is no order, which fails the step for good. */
function order(value: unknown): Order {
  const given = value as Partial<Order>;
  if (typeof given.number !== "number" || typeof given.customer !== "string" || typeof given.cents !== "number") {
    throw new TypeError("an order has number, customer and cents");
  }
  return given as Order;
}

/** newWorker returns a worker that fulfils orders. */
export function newWorker(client: Client, options: WorkerOptions = {}): Worker {
  return new Worker(client, { namespaces: ["shop"], ...options })
    .handler("reserve", (job: Job<Order>) => ({ shelf: `A${job.input.number % 10}` }), order)
    .handler("charge", charge, order)
    .handler("pack", async (job: Job<Order>) => ({ from: (await job.result<{ shelf: string }>("reserve")).shelf }), order)
    .handler("ship", async (job: Job<Order>) => {
      const receipt = await job.result<Receipt>("charge");
      const { shelf } = await job.result<{ shelf: string }>("reserve");
      return { to: job.input.customer, receipt: receipt.number, from: shelf };
    }, order);
}

/** charge is a durable function: the bank is asked once, however often the handler runs. */
async function charge(job: Job<Order>): Promise<Receipt> {
  if (job.input.cents <= 0) throw new Permanent("an order costs something");
  return job.once("charge", (): Receipt => {
    if (job.attempt === 1 && job.input.customer === "unlucky") throw new Error("the bank does not answer");
    return { number: `R-${job.input.number}`, cents: job.input.cents };
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const client = new Client(process.env["TASKER_URL"]!, process.env["TASKER_TOKEN"]!);
  const [number, customer, cents] = process.argv.slice(2);
  if (number && customer && cents) {
    const context = { number: Number(number), customer, cents: Number(cents) };
    const task = await client.createTask("shop", "order", context, { identityKey: number });
    console.log(task.task_uuid, task.created ? "placed" : "was placed before");
  } else {
    await newWorker(client).runUntilSignalled();
  }
}
