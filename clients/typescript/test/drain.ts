// A worker of empty handlers, for bench/clients: node build/test/drain.js [http]
import pg from "pg";

import { Client, Postgres, Worker } from "../src/index.js";

const { DATABASE_URL, TASKER_URL, TASKER_TOKEN } = process.env;
const transport = process.argv[2] === "http" ? new Client(TASKER_URL!, TASKER_TOKEN!) : new Postgres(new pg.Pool({ connectionString: DATABASE_URL }));
const worker = new Worker(transport, { namespaces: ["bench"] });
for (const name of ["a", "b", "c", "d"]) worker.handler(name, () => 1);
await worker.runUntilSignalled();
process.exit();
