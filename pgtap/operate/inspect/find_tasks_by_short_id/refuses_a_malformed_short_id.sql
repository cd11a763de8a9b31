begin;
select plan(5);

select throws_ok($$ select tasker.find_tasks_by_short_id(null) $$, 'TK422', 'null is not a short id', 'a null ID is refused');
select throws_ok($$ select tasker.find_tasks_by_short_id('') $$, 'TK422', '"" is not a short id', 'an empty ID is refused');
select throws_ok($$ select tasker.find_tasks_by_short_id('abc') $$, 'TK422', '"abc" is not a short id', 'an ID of three digits, which many tasks share, is refused');
select throws_ok($$ select tasker.find_tasks_by_short_id('abcdefg1') $$, 'TK422', '"abcdefg1" is not a short id', 'a character that is not a digit is refused');
select throws_ok(
  $$ select tasker.find_tasks_by_short_id(repeat('a', 1000000)) $$, 'TK422', '"' || repeat('a', 40) || '" is not a short id', 'a long text is refused'
);

select * from finish();
rollback;
