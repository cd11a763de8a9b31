begin;
select plan(12);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_plain');
create temporary table before as select c.oid from pg_class as c where c.relnamespace = 'pgmq'::regnamespace;

select throws_ok($$ select tasker.ensure_task_queue(null) $$, 'TK422', 'queue name is null', 'a null name is refused');
select throws_ok($$ select tasker.ensure_task_queue('') $$, 'TK422', '"" is not a valid queue name', 'an empty name is refused');
select throws_ok($$ select tasker.ensure_task_queue(repeat('x', 48)) $$, 'TK422', format('"%s" is not a valid queue name', repeat('x', 48)), 'a name of 48 characters is refused');
select throws_ok($$ select tasker.ensure_task_queue('a"b') $$, 'TK422', '"a"b" is not a valid queue name', 'a name with a double quote is refused');
select throws_ok($$ select tasker.ensure_task_queue('a''b') $$, 'TK422', '"a''b" is not a valid queue name', 'a name with a single quote is refused');
select throws_ok($$ select tasker.ensure_task_queue('a; drop schema pgmq') $$, 'TK422', '"a; drop schema pgmq" is not a valid queue name', 'a name with a semicolon is refused');
select throws_ok($$ select tasker.ensure_task_queue('a--b') $$, 'TK422', '"a--b" is not a valid queue name', 'a name with a comment sign is refused');
select throws_ok($$ select tasker.ensure_task_queue('a$b') $$, 'TK422', '"a$b" is not a valid queue name', 'a name with a dollar sign is refused');
select throws_ok($$ select tasker.ensure_task_queue('käse') $$, 'TK422', '"käse" is not a valid queue name', 'a name with a letter outside of ASCII is refused');
select throws_ok($$ select tasker.ensure_task_queue(E'a\nb') $$, 'TK422', E'"a\nb" is not a valid queue name', 'a name with a line break is refused');
select throws_ok($$ select tasker.ensure_task_queue('Tap_Plain') $$, 'TK409', 'queue "Tap_Plain" cannot be created beside "tap_plain"', 'a name that differs from another queue''s only in case is refused');
select is_empty(
  $$ select c.oid::regclass from pg_class as c where c.relnamespace = 'pgmq'::regnamespace and c.oid not in (select b.oid from before as b) $$,
  'no relation is created'
);

select * from finish();
rollback;
