begin;
select plan(3);

select tasker_test.register_echo();

create temporary table submitted as
  select s.* from tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[5]), p_dedup_keys => array['b', 'a', 'b', null, null]) as s;
select results_eq(
  'select s.position, s.created from submitted as s order by s.position',
  'values (1, true), (2, true), (3, false), (4, true), (5, true)', 'the first of two equal keys creates the task, and each null key creates one'
);
select is((select s.id from submitted as s where s.position = 3), (select s.id from submitted as s where s.position = 1), 'both equal keys return the same task');
select is((select count(*) from tasklib.tasks), 4::bigint, 'there are four tasks');

select * from finish();
rollback;
