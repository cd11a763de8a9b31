begin;
select plan(4);

select tasker_test.freeze();
select tasker.map_access('groups', 'staff', p_actor => 'ann', p_reason => 'a new group');
set local role tasker_operator;
select ok(tasker.unmap_access('groups', 'staff', 'bea', 'the group is gone'), 'unmap_access returns true for a map');
select ok(not tasker.unmap_access('groups', 'staff'), 'unmap_access returns false if there is none');
select is_empty($$ select from tasker.list_access_maps() $$, 'the map is gone');
select results_eq(
  $$ select l.actor, l.reason from tasker.list_administration() as l where l.kind = 'access_maps' order by l.entry_no $$,
  $$ values ('ann', 'a new group'), ('bea', 'the group is gone') $$, 'the log of administration says who and why'
);

select * from finish();
rollback;
