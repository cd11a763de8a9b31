create table tasker.result_totals (
  named_task_uuid  uuid    not null,
  results          bigint  not null,
  failures         bigint  not null,
  duration_ms      bigint  not null,

  constraint result_totals_pkey
    primary key (named_task_uuid)
);

comment on table tasker.result_totals is
  'The number of results that the steps of a template had until rollup_state.settled_until. The number never decreases. tasker.roll_up maintains it.';
