// A worker of the invoice workflow, directly over PostgreSQL, that may be killed: node build/test/invoice-worker.js NAME
import pg from "pg";

import { bank, invoice, smtp } from "../examples/invoice.js";
import { Postgres, Worker } from "../src/index.js";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 12 });
const effect = (kind: string, key: string): Promise<unknown> => pool.query("insert into effects (kind, key) values ($1, $2)", [kind, key]);
bank.charge = async (key, customer, cents) => {
  await effect("charge", key);
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { receipt: `R-${customer}`, cents };
};
bank.refund = async (receipt) => void (await effect("refund", receipt));
smtp.send = async (to) => {
  if (to === "bounce") throw new Error("the mailbox is full");
  await effect("mail", to);
};

const quiet = { info() {}, warn() {}, error: console.error };
await new Worker(new Postgres(pool), [invoice.workflow], { lease: 2, name: process.argv[2]!, concurrency: 20, logger: quiet }).runUntilSignalled();
await pool.end();
