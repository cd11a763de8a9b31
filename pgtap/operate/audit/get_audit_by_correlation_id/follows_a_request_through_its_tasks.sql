begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register_as('diamond', '{}', 'top', 'left top');
create temporary table made (no integer, task uuid);
do $$
begin
  for i in 1 .. 3 loop
    insert into made
    select i, c.task_uuid
      from tasker.create_task(
        'test', 'diamond', jsonb_build_object('no', i),
        p_correlation_id => case when i < 3 then '00000000-0000-0000-0000-0000000000cc'::uuid end
      ) as c;
    perform set_config('tasker_test.task', (select m.task::text from made as m where m.no = i), true);
    perform tasker_test.run('top');
    perform tasker_test.pass('1 minute');
  end loop;
end;
$$;

select results_eq(
  $$
  select m.no, a.step_name
    from tasker.get_audit_by_correlation_id('00000000-0000-0000-0000-0000000000cc') with ordinality as a
    join made as m on m.task = a.task_uuid
   order by a.ordinality
  $$,
  $$ values (1, 'top'), (2, 'top') $$, 'it returns the results of the request''s tasks, oldest first'
);
select is(
  (select count(*) from tasker.get_audit_by_correlation_id('00000000-0000-0000-0000-0000000000cc', 1)), 1::bigint, 'it returns no more rows than the limit'
);
select is_empty($$ select from tasker.get_audit_by_correlation_id('00000000-0000-0000-0000-0000000000ff') $$, 'it returns no row for an unknown correlation ID');
select is_empty('select from tasker.get_audit_by_correlation_id(null)', 'it returns no row for null');
select throws_ok(
  format($$ select from tasker.get_audit_by_correlation_id('00000000-0000-0000-0000-0000000000cc', %s) $$, u.no),
  'TK422', format('a limit of %s is out of range', u.no), format('a limit of %s is refused', u.no)
)
  from unnest('{0, 100001}'::integer[]) as u (no);

select * from finish();
rollback;
