create table tasker.task_facts (
  task_uuid         uuid               not null,
  namespace         text               not null,
  halts             boolean            not null,
  state             tasker.task_state  not null,
  transition_count  integer            not null,
  open_steps        integer            not null,
  active_steps      integer            not null,
  retrying_steps    integer            not null,
  failed_steps      integer            not null,

  constraint task_facts_row_type_check
    check (false) no inherit
);

comment on table tasker.task_facts is
  'Row type: what its steps'' moves are judged by: where a task''s steps are queued, whether its template halts on a failure, its state and its counters.';

revoke all on table tasker.task_facts from public;
