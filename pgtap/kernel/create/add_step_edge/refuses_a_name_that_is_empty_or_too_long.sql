begin;
select plan(3);

select tasker_test.make_task();

prepare add_edge (text) as
  select tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), $1);

select throws_ok($$ execute add_edge ('') $$, 'TK422', 'the name of an edge is empty or longer than 128 characters', 'an empty name is refused');
select throws_ok($$ execute add_edge (repeat('x', 129)) $$, 'TK422', 'the name of an edge is empty or longer than 128 characters', 'a name of 129 characters is refused');
select ok(tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), repeat('x', 128)), 'a name of 128 characters is accepted');

select * from finish();
rollback;
