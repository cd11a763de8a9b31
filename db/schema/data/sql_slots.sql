-- down: drop sequence tasker.sql_slot_1, tasker.sql_slot_2, tasker.sql_slot_3, tasker.sql_slot_4, tasker.sql_slot_5, tasker.sql_slot_6, tasker.sql_slot_7, tasker.sql_slot_8, tasker.sql_slot_9, tasker.sql_slot_10, tasker.sql_slot_11, tasker.sql_slot_12, tasker.sql_slot_13, tasker.sql_slot_14, tasker.sql_slot_15, tasker.sql_slot_16, tasker.sql_slot_17, tasker.sql_slot_18, tasker.sql_slot_19, tasker.sql_slot_20, tasker.sql_slot_21, tasker.sql_slot_22, tasker.sql_slot_23, tasker.sql_slot_24;

-- The sequences are unlogged, so that a crash of the server restarts them. A sequence then differs from ran, which
-- reveals the calls that the crash ended.
do $$
begin
  for v_slot in 1 .. 24 loop
    execute format('create unlogged sequence tasker.sql_slot_%s', v_slot);
    execute format('comment on sequence tasker.sql_slot_%s is %L', v_slot, 'Numbers the calls in a slot of tasker.sql_slots.');
    insert into tasker.sql_slots (slot_no, alone, ran)
    values (v_slot, v_slot > 8, nextval(format('tasker.sql_slot_%s', v_slot)));
  end loop;
end;
$$;
