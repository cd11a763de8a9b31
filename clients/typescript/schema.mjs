// Writes pgtasker.sql: all migrations as one script for psql, for packages. npm pack runs it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const migrations = new URL("../../db/migrations/", import.meta.url);
const parts = ["create schema if not exists tasker_meta;\ncreate table if not exists tasker_meta.schema_migrations (version varchar primary key);\n"];
for (const name of readdirSync(migrations).filter((name) => name.endsWith(".sql")).sort()) {
  const [up] = readFileSync(new URL(name, migrations), "utf8").split(/^-- migrate:down$/m);
  parts.push(`begin;\n${up}\ninsert into tasker_meta.schema_migrations values ('${name.split("_", 1)[0]}');\ncommit;\n`);
}
writeFileSync(new URL("pgtasker.sql", import.meta.url), parts.join("\n"));
