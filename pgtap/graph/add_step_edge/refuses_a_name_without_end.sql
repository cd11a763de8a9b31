begin;
select plan(3);

select tasker_test.make_task();

prepare add_edge (text) as
  select tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), $1);

select throws_ok($$ execute add_edge ('') $$, 'TK422', 'the name of an edge is empty or longer than 128 characters', 'no name');
select throws_ok($$ execute add_edge (repeat('x', 129)) $$, 'TK422', 'the name of an edge is empty or longer than 128 characters', 'one too long');
select ok(tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), repeat('x', 128)), 'one as long as can be');

select * from finish();
rollback;
