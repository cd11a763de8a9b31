# An empty directory, PostgreSQL, Node, and the package. The packages of others lie in /srv/packages, since the chroot has no registry.
ls -A
createdb shop
npm init -y >init.log && npm pkg set type=module
mkdir node_modules && cp -r /srv/packages/node_modules/. node_modules/
npm install --silent --offline --no-save --no-audit --no-fund --legacy-peer-deps /srv/packages/pgtasker-0.1.0.tgz 2>&1 | tail -1
cp -rn /srv/packages/node_modules/. node_modules/
# The schema, from the package.
psql -X -q -v ON_ERROR_STOP=1 shop -f node_modules/pgtasker/pgtasker.sql
psql -X -At shop -c "select count(*) from tasker.list_namespaces()"
# A first workflow: it is typed, so a wrong program is refused before it runs.
cat > trips.ts <<'EOF'
import { anyOf, gte, lt, Permanent, signal, type, workflow } from "pgtasker";

export const approved = signal("approved", type<{ by: string }>());
const trips = workflow({ namespace: "travel", name: "trip", version: "1.0.0", input: type<{ city: string; nights: number }>(), identity: "new" });
export const price = trips.step("price", (job) => {
  if (job.input.city === "Atlantis") throw new Permanent("there is no hotel in Atlantis");
  return 90 * job.input.nights;
});
const approve = trips.wait("approve", approved, { after: price.when((p) => gte(p, 500)) });
const book = trips.step("book", { after: anyOf([price.when((p) => lt(p, 500)), approve]) }, (job) => `${job.input.nights} nights in ${job.input.city}`);
export const trip = trips.returns(book);
export { trips };
EOF
npx tsc --target es2022 --module nodenext --strict --skipLibCheck trips.ts
cat > wrong.ts <<'EOF'
import { price, trips } from "./trips.js";

trips.step("insure", { after: price }, (job, price) => price.toUpperCase() + job.input.town);
EOF
npx tsc --target es2022 --module nodenext --strict --skipLibCheck --noEmit wrong.ts || true
# Tests without a database: a workflow runs in memory.
cat > trips.test.ts <<'EOF'
import assert from "node:assert/strict";
import test from "node:test";
import { run, sent } from "pgtasker/testing";
import { approved, trip } from "./trips.js";

test("a whole trip", async () => {
  const report = await run(trip, { city: "Rome", nights: 7 }, { signals: [sent(approved, { by: "ada" })] });
  assert.equal(report.result(), "7 nights in Rome");
});

test("there is no hotel in Atlantis", async () => {
  const report = await run(trip, { city: "Atlantis", nights: 1 });
  assert.equal(report.failed, "price");
});
EOF
npx tsc --target es2022 --module nodenext --strict --skipLibCheck trips.test.ts && node --test trips.test.js | grep -E "^# (pass|fail)"
# A worker, and a program that starts tasks. The first worker is killed, and another one does the work.
cat > worker.ts <<'EOF'
import pg from "pg";
import { Postgres, Worker } from "pgtasker";
import { trips } from "./trips.js";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] });
await new Worker(new Postgres(pool), [trips], { lease: 2 }).runUntilSignalled();
await pool.end();
EOF
cat > place.ts <<'EOF'
import pg from "pg";
import { TaskFailed } from "pgtasker";
import { approved, trip } from "./trips.js";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] });
await trip.register(pool);
const placed = [];
for (const [city, nights] of [["Rome", 2], ["Oslo", 7], ["Atlantis", 1]] as const) placed.push(await trip.start(pool, { city, nights }));
await placed[1]!.send(approved, { by: "ada" });
for (const task of placed) {
  try {
    console.log(await task.result({ timeout: 60 }));
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error;
    console.log("failed:", error.step, error.state);
  }
}
await pool.end();
EOF
npx tsc --target es2022 --module nodenext --strict --skipLibCheck worker.ts place.ts
node worker.js >worker.log 2>&1 & KILLED=$!
sh -c "kill -9 $KILLED"; wait $KILLED 2>/dev/null || true
node worker.js >worker.log 2>&1 & WORKER=$!
node place.js
kill -TERM $WORKER; wait $WORKER
psql -X -At shop -c "select state, count(*) from tasker.list_tasks('travel') group by state order by state"
