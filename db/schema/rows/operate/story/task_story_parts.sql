create or replace view tasker.task_story_parts as
select
  0::integer as place,
  null::uuid as step_uuid,
  null::integer as step_no,
  null::text as step_name,
  ''::text as kind,
  '-infinity'::timestamptz as began_at,
  '-infinity'::timestamptz as ended_at,
  0::double precision as seconds,
  null::text as detail
where false;

comment on view tasker.task_story_parts is
  'Row type: a part of the critical path of a task. Parts are in the order of time, and each begins at the end of the part before.';
comment on column tasker.task_story_parts.step_uuid is
  'The step on the critical path. Null in the part before the first step and in the part after the last step.';
comment on column tasker.task_story_parts.kind is
  'The place where the time went: start (not to begin before), engine, workers (ready, not claimed), running, retry, signal (people), event, time, task (another task), failed (until an operator acts), unread (transitions beyond the last one that is read).';
