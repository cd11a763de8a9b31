create or replace function tasker.timer_mark(p_now timestamptz)
  returns timestamptz
  language plpgsql
as $$
declare
  v_kept  text[]      := string_to_array(current_setting('tasker.timer_mark', true), ' ');
  v_read  text        := extract(epoch from p_now);
  v_since timestamptz := '-infinity';
  v_first timestamptz;
  v_ok    text;
begin
  if to_timestamp(v_kept[1]::float8) between p_now - interval '1 second' and p_now then
    v_read := v_kept[1];
    v_since := to_timestamp(v_kept[2]::float8);
  end if;
  select min(m.due_at)
    into v_first
    from tasker.timers as m
   where m.due_at >= v_since;

  -- Transactions that are open now may write rows that are dated back to the beginning of the transaction.
  v_first := least(v_first, p_now - interval '250 milliseconds');
  v_ok := set_config('tasker.timer_mark', concat_ws(' ', v_read, extract(epoch from v_first)), false);
  return v_first;
end;
$$;

comment on function tasker.timer_mark is
$$Returns the time from which due timers have to be read: the time of the first timer. Callers use this mark if the table has many dead rows (tasker.timers_are_bloated). For a second, the session keeps the mark and begins there, then it reads from the beginning again. So a timer that was written more than a quarter of a second before its transaction committed may be found a second late. The mark is a setting of the session, because such a setting lives as long as the session and costs no write. Locks nothing.$$;
