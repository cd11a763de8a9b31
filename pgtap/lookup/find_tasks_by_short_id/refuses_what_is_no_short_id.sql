begin;
select plan(5);

select throws_ok($$ select tasker.find_tasks_by_short_id(null) $$, 'TK422', 'null is not a short id', 'null');
select throws_ok($$ select tasker.find_tasks_by_short_id('') $$, 'TK422', '"" is not a short id', 'nothing');
select throws_ok($$ select tasker.find_tasks_by_short_id('abc') $$, 'TK422', '"abc" is not a short id', 'three digits, which many tasks share');
select throws_ok($$ select tasker.find_tasks_by_short_id('abcdefg1') $$, 'TK422', '"abcdefg1" is not a short id', 'what is no digit');
select throws_ok(
  $$ select tasker.find_tasks_by_short_id(repeat('a', 1000000)) $$, 'TK422', '"' || repeat('a', 40) || '" is not a short id', 'a long text'
);

select * from finish();
rollback;
