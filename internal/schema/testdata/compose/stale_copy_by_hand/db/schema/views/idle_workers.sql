create or replace view tasker.idle_workers as
  select
    w.name
  from tasker.workers as w
  where not exists (select from tasker.jobs as j where j.worker = w.name);
