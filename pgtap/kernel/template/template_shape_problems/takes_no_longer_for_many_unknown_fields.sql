begin;
select plan(2);

prepare problems as
  select count(*) from tasker.validate_task_template((select jsonb_object_agg('f' || i, i) from generate_series(1, 20000) as i));
select results_eq('problems', '{20}'::bigint[], 'twenty problems are returned');
select is(
  (select p.hint from tasker.validate_task_template('{"namespace": "a", "name": "b", "steps": [], "descriptoin": "x"}') as p),
  'Did you mean "description"? Its fields are ' || (
    select string_agg(f.field, ', ' order by f.position) from tasker.template_fields as f where f.object = 'template'
  ) || '.',
  'each problem has the name that was probably meant'
);

select * from finish();
rollback;
