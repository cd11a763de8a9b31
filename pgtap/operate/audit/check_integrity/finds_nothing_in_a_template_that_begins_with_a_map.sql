begin;
select plan(1);

select tasker_test.create_waiting('lines', '[{"name": "line", "for_each": "$.lines"}, {"name": "other"}, {"name": "sum", "dependencies": ["line", "other"]}]',
  '{}', '{"lines": [1]}');
select is_empty('select * from tasker.check_integrity()', 'a map without dependencies is not counted as a root step');

select * from finish();
rollback;
