create or replace function tasker.task_events_wanted()
  returns setof boolean
  language sql
  stable
begin atomic
  -- Watchers are marked as tasker_task_events or as tasker_task_events.<task>, which sorts before tasker_task_events/.
  select
    c.any_announced
    or current_setting('transaction_isolation') <> 'read committed'
    or exists (
      select
        from tasker.sleepers as z
       where z.channel >= 'tasker_task_events'
         and z.channel < 'tasker_task_events/'
         and z.until > tasker.clock()
    )
    from tasker.settings_now as c
   where c.only_row;
end;

comment on function tasker.task_events_wanted is
$$Returns one row, which says whether a transition of a task may have to be announced. The function returns a set, so that PostgreSQL inlines it into the query. Call it in a statement after the transaction's writes.$$;
