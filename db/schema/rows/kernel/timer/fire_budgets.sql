create or replace view tasker.fire_budgets as
select
  0::integer as timers,
  0::integer as instances,
  0::integer as receivers,
  '0'::interval as head_start,
  null::uuid as processor_uuid
where false;

comment on view tasker.fire_budgets is
  'Row type: the largest numbers of timers, instances of maps and receivers of events for one call that fires timers, and the processor that calls. The rest of a map or of an event is due head_start later.';
