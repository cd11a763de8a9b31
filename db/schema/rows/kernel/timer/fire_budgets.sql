create or replace view tasker.fire_budgets as
select
  0::integer as timers,
  0::integer as instances,
  0::integer as receivers,
  '0'::interval as head_start,
  null::uuid as processor_uuid
where false;

comment on view tasker.fire_budgets is
  'Row type: how much one call that fires timers may do, and which processor fires. The call fires at most so many timers, instances of maps and steps that get an event. The rest of a map or event is due head_start later.';
