# Copies a database to a newer server while it works. OLD, NEW: the databases; OLD_SERVER, NEW_SERVER: their servers.
pg_dumpall --roles-only --dbname "$OLD_SERVER" | grep -v '^CREATE ROLE postgres;' | psql -qX -v ON_ERROR_STOP=1 "$NEW_SERVER"
psql -qX -c "create database shop" "$NEW_SERVER"
pg_dump --schema-only "$OLD" | psql -qX -v ON_ERROR_STOP=1 "$NEW"
psql -qX -v ON_ERROR_STOP=1 -c "create publication move for all tables" "$OLD"
psql -qX -v ON_ERROR_STOP=1 -c "create subscription move connection '$OLD' publication move" "$NEW"
until psql -qAtX -c "select bool_and(srsubstate = 'r') from pg_subscription_rel" "$NEW" | grep -q t; do
  psql -qAtX -c "select pg_sleep(0.1)" "$NEW"
done
