create or replace view tasker.readiness as
select
  null::text as refused,
  ''::text as severity,
  '{}'::text[] as kinds
where false;

comment on view tasker.readiness is
  'Row type: whether a server can do its work, and the state of the system. The words contain no data of tasks.';
comment on column tasker.readiness.refused is
  'The reason why no server can do its work: no partition for new tasks, or tasks that have waited long for an orchestrator. Null if servers can work.';
comment on column tasker.readiness.severity is
  'act_now, look_today or well, as the command tasker health prints.';
comment on column tasker.readiness.kinds is
  'The kinds of the open incidents that need a person, the most severe first.';
