begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('chain', 'a', 'b a', 'c b');
select tasker_test.launch('chain');
create temporary table ran (name text, worker integer);
insert into ran select c.name, 1 from tasker_test.claim(10, 1) as c;
select is_empty('select from tasker_test.claim(10, 2)', 'no other step of the chain is ready');
select tasker_test.complete('a');
insert into ran select c.name, 2 from tasker_test.claim(10, 2) as c;
select tasker_test.complete('b');
insert into ran select c.name, 1 from tasker_test.claim(10, 1) as c;
select tasker_test.complete('c');
select results_eq('select r.name, r.worker from ran as r', $$ values ('a', 1), ('b', 2), ('c', 1) $$, 'the steps run one after the other, whichever worker runs them');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
