create or replace view tasker.wait_ends as
select
  null::timestamptz as due_at,
  null::text as ended_by,
  null::text as problem
where false;

comment on view tasker.wait_ends is
  'Row type: when time ends a wait, and as what: for, until or timeout. All null: only a signal does.';
comment on column tasker.wait_ends.problem is
  'Why the time of an "until" or the key of an event cannot be read from the context: the wait ends at once, and its step fails.';
