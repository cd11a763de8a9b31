import pg from "pg";
import { Postgres, type, Worker, workflow } from "../src/index.js";

const order = workflow({ namespace: "shop", name: "first", version: "1.0.0", input: type<{ number: number }>() });
const reserve = order.step("reserve", async (job) => ({ shelf: job.input.number * 10 }));
const charge = order.step("charge", { after: reserve }, async (_, { shelf }) => `paid for shelf ${shelf}`);
const fulfil = order.returns(charge);

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] });
await order.register(pool);
const worker = new Worker(new Postgres(pool), [order]);
const running = worker.run();

const task = await fulfil.start(pool, { number: 7 });
console.log((await task.result()).toUpperCase());

worker.stop();
await running;
await pool.end();
