-- The logins of compose.yaml, each with the rights that its process needs. psql has the password in the variable password.
-- A second run sets the password again.
select format('create role %I login', name)
  from unnest(array['tasker_web', 'tasker_mover', 'tasker_demo']) as name
 where to_regrole(name) is null
\gexec
alter role tasker_web login noinherit password :'password';
alter role tasker_mover login password :'password';
alter role tasker_demo login password :'password';
grant tasker_server, tasker_reader, tasker_submitter, tasker_worker, tasker_operator to tasker_web;
grant tasker_orchestrator, tasker_reader to tasker_mover;
grant tasker_worker, tasker_submitter to tasker_demo;
