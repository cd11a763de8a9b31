create or replace function tasker.sql_slot_is_lost(p_slot tasker.sql_slots)
  returns boolean
  language sql
begin atomic
  select coalesce(pg_sequence_last_value(format('tasker.sql_slot_%s', p_slot.slot_no)::regclass), 0) <> p_slot.ran;
end;

comment on function tasker.sql_slot_is_lost is
$$Returns whether the last call in a slot left no record. The caller holds the slot.$$;
