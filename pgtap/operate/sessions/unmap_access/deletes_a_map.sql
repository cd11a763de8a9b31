begin;
select plan(3);

select tasker_test.freeze();
select tasker.map_access('groups', 'staff');
set local role tasker_operator;
select ok(tasker.unmap_access('groups', 'staff'), 'unmap_access returns true for a map');
select ok(not tasker.unmap_access('groups', 'staff'), 'unmap_access returns false if there is none');
select is_empty($$ select from tasker.list_access_maps() $$, 'the map is gone');

select * from finish();
rollback;
