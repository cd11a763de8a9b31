-- Every role calls every public function of schema tasker with null arguments, and is answered as the grants say. docs/functions.md
-- names the roles of each function. The calls run in subtransactions and leave no changes.
begin;
select plan(11);

create role tasker_stranger;

select tasker_test.hold_the_grants('tasker', '{submitter,worker,orchestrator,operator,reader,server}');

select * from finish();
rollback;
