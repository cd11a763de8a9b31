-- Each public function is called with null for each argument that has no default, beside others that are not null. The error has
-- a code of class TK, and its message no gap where the null stood. The functions whose null is no error have a reason.
begin;
select plan(3);

create temporary table said (function text, argument text, code text, message text, primary key (function, argument));
do $do$
declare
  v_function record;
  v_call     text;
begin
  for v_function in
    select p.proname, p.proargnames as names, p.pronargs - p.pronargdefaults as required, p.proargtypes::oid[] as types
      from pg_proc as p
     where p.pronamespace = 'tasker'::regnamespace
       and exists (
         select
           from aclexplode(p.proacl) as a
           join pg_roles as r
             on r.oid = a.grantee
          where r.rolname ~ '^tasker_(submitter|worker|orchestrator|operator|reader|server)$'
       )
  loop
    for v_null in 1 .. v_function.required loop
      select format('select from tasker.%I(%s)', v_function.proname, string_agg(format(
          '%I => %s::%s', v_function.names[o.place],
          case
            when o.place = v_null then 'null'
            else case format_type(v_function.types[o.place - 1], null)
              when 'text' then '''some''' when 'text[]' then '''{some}'''
              when 'uuid' then 'gen_random_uuid()' when 'uuid[]' then 'array[gen_random_uuid()]'
              when 'integer' then '1' when 'bigint' then '1' when 'double precision' then '1'
              when 'integer[]' then '''{1}''' when 'bigint[]' then '''{1}'''
              when 'boolean' then 'true' when 'bytea' then '''x''' when 'interval' then '''1 day'''
              when 'jsonb' then '''{}''' when 'jsonb[]' then 'array[''{}'']'
              when 'timestamp with time zone' then 'now()'
              when 'tasker.task_state' then '''pending''' when 'tasker.step_state' then '''pending'''
            end
          end,
          format_type(v_function.types[o.place - 1], null)
        ), ', '))
        into v_call
        from generate_series(1, v_function.required) as o (place);
      begin
        execute coalesce(v_call, 'no value');
        insert into said values (v_function.proname, v_function.names[v_null], null, null);
      exception
        when others then
          insert into said values (v_function.proname, v_function.names[v_null], sqlstate, sqlerrm);
      end;
    end loop;
  end loop;
end;
$do$;

select cmp_ok((select count(*) from said), '>', 300::bigint, 'the functions were called');
select is_empty(
  $$ select s.function, s.argument, s.code, s.message from said as s where s.code is not null and (s.code like 'TK%' or s.code = '55P03') is not true $$,
  'a null reaches no constraint of PostgreSQL''s own'
);
select is_empty(
  $$
  select s.function, s.argument, s.message
    from said as s
   where s.message ~ '""|"/|/"|  |: $|\(\)|^ | of $| $'
  $$,
  'no message has a gap where the null stood'
);

select * from finish();
rollback;
