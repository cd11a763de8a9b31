# Nobody writes any more: lets the copy catch up, and makes it a database of its own.
lsn=$(psql -qAtX -c "select pg_current_wal_lsn()" "$OLD")
until psql -qAtX -c "select bool_and(confirmed_flush_lsn >= '$lsn') from pg_replication_slots" "$OLD" | grep -q t; do
  psql -qAtX -c "select pg_sleep(0.1)" "$OLD"
done
psql -qX -v ON_ERROR_STOP=1 -c "drop subscription move" "$NEW"
psql -qX -v ON_ERROR_STOP=1 -c "drop publication move" "$OLD"
psql -qAtX -c "select format('select setval(%L, %s);', s.schemaname || '.' || s.sequencename, coalesce(s.last_value, 1)) from pg_sequences as s where s.last_value is not null" "$OLD" | psql -qX -v ON_ERROR_STOP=1 "$NEW"
