-- Roles get functions, not tables; history and the graph can also be read through views. Even
-- REFERENCES is missing: a foreign key from outside would stand in the way of retention.
begin;
select plan(4);

create temporary table grants as
  select c.oid::regclass as relation,
         c.relkind in ('v', 'm') as is_view,
         a.grantee::regrole::text as role,
         a.privilege_type as privilege
    from pg_class as c
   cross join lateral aclexplode(c.relacl) as a
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and a.grantee <> c.relowner;

select is_empty('select * from grants where not is_view', 'nobody but the owner may touch a table or a partition');
select is_empty($$ select * from grants where privilege <> 'SELECT' $$, 'views can be read and nothing else');
select set_eq(
  'select role from grants',
  array['tasker_orchestrator', 'tasker_operator', 'tasker_reader'],
  'by those who watch the engine'
);
select is_empty(
  $$
  select c.oid::regclass, r.rolname
    from pg_class as c
   cross join pg_roles as r
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind = 'v'
     -- A view that engine and reports read, without a look at the caller: step_edges and step_result_audit are for people.
     and c.relname not in ('workflow_step_edges', 'workflow_step_result_audit')
     and r.rolname in ('tasker_orchestrator', 'tasker_operator', 'tasker_reader')
     and not has_table_privilege(r.oid, c.oid, 'select')
  $$,
  'each of them reads every view but the engine''s own'
);

select * from finish();
rollback;
