-- Every role calls every public function of schema tasklib with null arguments, and is answered as the grants say. docs/tasklib.md
-- names the roles of each function. The calls run in subtransactions and leave no changes.
begin;
select plan(9);

create role tasklib_stranger;

select tasker_test.hold_the_grants('tasklib', '{submitter,worker,operator,reader}');

select * from finish();
rollback;
