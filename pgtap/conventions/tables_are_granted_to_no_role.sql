-- Roles get functions, not tables; history and the graph can also be read through views. Even REFERENCES is not granted: a
-- foreign key from outside would block retention. A row type is a view that no role needs to read.
begin;
select plan(4);

create temporary table grants as
  select c.oid::regclass as relation,
         c.relkind in ('v', 'm') and pg_get_viewdef(c.oid) !~ '\sWHERE false;$' as is_view,
         a.grantee::regrole::text as role,
         a.privilege_type as privilege
    from pg_class as c
   cross join lateral aclexplode(c.relacl) as a
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and a.grantee <> c.relowner;

select is_empty('select * from grants where not is_view', 'only the owner has privileges on tables, partitions and row types');
select is_empty($$ select * from grants where privilege is distinct from 'SELECT' $$, 'the only privilege on views is SELECT');
select set_eq(
  'select role from grants',
  array['tasker_orchestrator', 'tasker_operator', 'tasker_reader'],
  'only orchestrators, operators and readers may read views'
);
select is_empty(
  $$
  select c.oid::regclass, r.rolname
    from pg_class as c
   cross join pg_roles as r
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind = 'v'
     and pg_get_viewdef(c.oid) !~ '\sWHERE false;$'
     -- Views that the engine and reports read without a check of the caller. step_edges and step_result_audit are for people.
     and c.relname not in ('workflow_step_edges', 'workflow_step_result_audit', 'step_result_log', 'task_transition_log', 'workflow_step_transition_log')
     and r.rolname in ('tasker_orchestrator', 'tasker_operator', 'tasker_reader')
     and not has_table_privilege(r.oid, c.oid, 'select')
  $$,
  'each of these roles may read every view except the engine''s own'
);

select * from finish();
rollback;
