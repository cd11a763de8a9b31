begin;
select plan(1);

create temporary table names (queue text, namespace text);
insert into names (queue, namespace) values
  ('orchestration', 'orchestration'),
  ('orchestration_task_requests', 'orchestration'),
  ('orchestration_step_results', 'orchestration'),
  ('worker_payments_queue', 'payments'),
  ('worker_data_import_queue', 'data_import'),
  ('worker_payments_queue_high', 'payments'),
  ('worker_payments_queue_low', 'payments'),
  ('worker_a_queue_queue', 'a_queue'),
  ('worker_a_queue_high_queue', 'a_queue_high'),
  ('payments_queue', 'payments'),
  ('payments_queue_high', 'payments'),
  ('worker_queue', 'worker'),
  ('worker__queue', 'worker'),
  ('my-ns_queue', 'default'),
  ('1st_queue', 'default'),
  ('queue', 'default'),
  ('_queue', 'default'),
  ('payments', 'default'),
  ('', 'default'),
  (null, 'default');

select is_empty(
  $$ select n.*, tasker.extract_queue_namespace(n.queue) from names as n where tasker.extract_queue_namespace(n.queue) is distinct from n.namespace $$,
  'the namespace is found in the names of worker queues, lanes and plain queues, and is default in any other name'
);

select * from finish();
rollback;
