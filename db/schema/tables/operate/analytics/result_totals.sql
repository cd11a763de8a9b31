create table tasker.result_totals (
  named_task_uuid  uuid    not null,
  results          bigint  not null,
  failures         bigint  not null,
  duration_ms      bigint  not null,

  constraint result_totals_pkey
    primary key (named_task_uuid)
);

comment on table tasker.result_totals is
  'How many results the steps of a template have had, until rollup_state.settled_until. The number only grows. tasker.roll_up maintains it.';
