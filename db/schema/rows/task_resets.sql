create table tasker.task_resets (
  task_uuid     uuid               not null,
  namespace     text               not null,
  name          text               not null,
  version       text               not null,
  state         tasker.task_state  not null,
  failed_steps  integer            not null,
  requested_at  timestamptz        not null,
  outcome       text               not null,

  constraint task_resets_row_type_check
    check (false) no inherit
);

comment on table tasker.task_resets is
  'Row type: what a reset of many tasks did with one of them.';
comment on column tasker.task_resets.state is
  'The state that it was found in.';
comment on column tasker.task_resets.outcome is
  'matched: a dry run; reset; locked: another transaction holds it; moved: it has left that state meanwhile.';

revoke all on table tasker.task_resets from public;
